import { Buffer } from "node:buffer";
import { setTimeout } from "node:timers/promises";
import { LOAD_FROM_IMPORTER, type PanelStart } from "../../core/protocol/panel-api.ts";
import { escapeHtml } from "../../core/text/escape-html.ts";
import { parseJson } from "../../core/text/parse-json.ts";
import { type ParsedImportRequest, parseImportRequest } from "../control/import-request.ts";
import type { LiveUi } from "../hosts/live/sdk/live-api.ts";

const PANEL_SIZE = { width: 760, height: 560 };
const MESSAGE_SIZE = { width: 480, height: 200 };
/** Matches the page's element with its start parameters. */
const START = /(<script\b[^>]*\bid="start"[^>]*>)[^<]*(<\/script>)/;

/**
 * Shows the panel in Live's dialog until it is closed; returns the requested import, if any. Where the page asks for
 * it, the dialog opens once more with the importer's own address: the page can't go there, because
 * Live closes a dialog that navigates.
 */
export async function askInPanel(
  ui: LiveUi,
  page: string,
  start: PanelStart,
  pause?: Pause,
): Promise<ParsedImportRequest | undefined> {
  const answer = await showDialog(ui, dataUrl(startedPage(page, start)), PANEL_SIZE, pause);
  if (answer !== LOAD_FROM_IMPORTER) return requestIn(answer);
  const address = `${start.address}/#${start.secret}`;
  return requestIn(await showDialog(ui, address, PANEL_SIZE, pause));
}

/** Shows a sentence until the dialog is closed. */
export async function showSentence(ui: LiveUi, sentence: string, pause?: Pause): Promise<void> {
  await showDialog(ui, dataUrl(sentencePage(sentence)), MESSAGE_SIZE, pause);
}

function requestIn(answer: string): ParsedImportRequest | undefined {
  try {
    return parseImportRequest(parseJson(answer));
  } catch {
    // It is unknown what Live returns when the page doesn't close the dialog itself.
    return undefined;
  }
}

/** Inserts the start parameters into the page's `#start` element. */
function startedPage(page: string, start: PanelStart): string {
  const json = JSON.stringify(start).replaceAll("<", "\\u003c");
  return page.replace(START, (_, before: string, after: string) => before + json + after);
}

function sentencePage(sentence: string): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Soundferry</title>
<style>
  :root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif; }
  body { margin: 24px; display: flex; flex-direction: column; gap: 16px; }
  p { margin: 0; overflow-wrap: anywhere; }
  button { align-self: end; font: inherit; padding: 4px 16px; }
</style>
<p role="alert">${escapeHtml(sentence)}</p>
<button autofocus>Close</button>
<script>
  const receiver = window.webkit?.messageHandlers?.live ?? window.chrome?.webview;
  const close = () => receiver?.postMessage({ method: "close_and_send", params: [""] });
  document.querySelector("button").addEventListener("click", close);
  addEventListener("keydown", ({ key }) => key === "Escape" && close());
</script>
</html>
`;
}

/** A dialog's size in points; Live's dialogs can't be resized. */
interface DialogSize {
  readonly width: number;
  readonly height: number;
}

/** Resolves after the given milliseconds. */
export type Pause = (ms: number) => Promise<unknown>;

/** Attempts after the first: Live may refuse a dialog right after another has closed. */
const RETRIES = 4;
const RETRY_MS = 150;

/**
 * Shows a page in Live's dialog until it is closed; returns the text that it sent. A dialog that Live refuses is
 * tried again four times.
 * @throws {Error} with a sentence when Live refuses it to the end
 */
export async function showDialog(
  ui: LiveUi,
  url: string,
  { width, height }: DialogSize,
  pause: Pause = setTimeout,
): Promise<string> {
  for (let retries = 0; ; retries += 1) {
    try {
      return await ui.showModalDialog(url, width, height);
    } catch (cause) {
      if (retries === RETRIES) throw new Error("Live couldn't open the dialog.", { cause });
    }
    await pause(RETRY_MS);
  }
}

/** Returns a `data:` address, which every web view shows. */
function dataUrl(html: string): string {
  return `data:text/html;charset=utf-8;base64,${Buffer.from(html).toString("base64")}`;
}
