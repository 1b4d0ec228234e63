import { Buffer } from "node:buffer";
import type { PanelStart } from "../../core/protocol/panel-api.ts";
import { type ParsedImportRequest, parseImportRequest } from "../control/import-request.ts";
import type { LiveUi } from "../hosts/live/sdk/live-api.ts";
import { parseJson } from "../../core/text/parse-json.ts";

/** In points; Live's dialogs can't be resized. */
const PANEL_SIZE = { width: 760, height: 560 };
const MESSAGE_SIZE = { width: 480, height: 200 };
/** The page's element with its start parameters. */
const START = /(<script\b[^>]*\bid="start"[^>]*>)[^<]*(<\/script>)/;

/** Shows the panel in Live's dialog until it is closed; returns the requested import, if any. */
export async function askInPanel(
  ui: LiveUi,
  page: string,
  start: PanelStart,
): Promise<ParsedImportRequest | undefined> {
  const answer = await show(ui, startedPage(page, start), PANEL_SIZE);
  try {
    return parseImportRequest(parseJson(answer));
  } catch {
    // It is unknown what Live returns when the page doesn't close the dialog itself.
    return undefined;
  }
}

/** Shows a sentence until the dialog is closed. */
export async function showSentence(ui: LiveUi, sentence: string): Promise<void> {
  await show(ui, sentencePage(sentence), MESSAGE_SIZE);
}

/** Live shows `data:` addresses on every system, and rejects without a reason. */
async function show(ui: LiveUi, html: string, { width, height }: typeof PANEL_SIZE) {
  const url = `data:text/html;charset=utf-8;base64,${Buffer.from(html).toString("base64")}`;
  try {
    return await ui.showModalDialog(url, width, height);
  } catch (cause) {
    throw new Error("Live couldn't open the dialog.", { cause });
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

function escapeHtml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}
