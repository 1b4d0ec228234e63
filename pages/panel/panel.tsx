import { render } from "preact";
import { App, NoSecret } from "./app.tsx";
import { ControlCalls } from "./control-calls.ts";
import { PanelStore } from "./panel-store.ts";
import { choosePageLanguage } from "../kit/choose-page-language.ts";
import { guardDoubleClicks } from "../kit/guard-double-clicks.ts";
import { openPageRoot } from "../kit/page-root.ts";
import { ScenePlayer } from "../kit/playback/scene-player.ts";
import type { PanelStart } from "../../core/protocol/panel-api.ts";
import { PANEL_SESSION_PATH, panelKeyIn } from "../../core/protocol/panel-calls.ts";

// The page's entry point: reads the start parameters, follows the importer, and renders.

// Above its first use, which is a few lines below.
/** The tab's own place for the secret, for when the page is loaded again. */
const KEPT_SECRET = "soundferry-secret";

const written = document.querySelector("#start")?.textContent ?? "null";
const root = openPageRoot();
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only the importer itself writes it
const given = JSON.parse(written) as PanelStart | null;
choosePageLanguage(given?.language);
// An address with another key opens here.
addEventListener("hashchange", () => location.hash !== "" && location.reload());
void openPanel();

async function openPanel(): Promise<void> {
  const key = panelKeyIn(location.hash);
  const start = given ?? (await readPanelStart(key));
  if (start === undefined) {
    render(<NoSecret reason={key === undefined ? "missing" : "used"} />, root);
  } else {
    show(start);
  }
}

function show(start: PanelStart): void {
  const store = new PanelStore(new ControlCalls(start), start);
  const closing = new AbortController();
  const { signal } = closing;
  const player = new ScenePlayer(
    (packageId, soundId) => store.calls.sound(packageId, soundId, signal),
    signal,
  );
  guardDoubleClicks(root);
  render(<App panel={{ store, player }} />, root);
  addEventListener("pagehide", () => closing.abort());
  void store.follow(signal);
}

/**
 * Reads the start parameters outside Live's dialog: for the one-time key in the address, or from the secret there, or in
 * this tab. Returns undefined without a secret (rule N1). Neither stays in the address, which the browser's history keeps
 * (rule N29).
 */
async function readPanelStart(key: string | undefined): Promise<PanelStart | undefined> {
  const inAddress = key === undefined ? location.hash.slice(1) : "";
  if (key !== undefined) history.replaceState(null, "", location.pathname);
  const secret = (key && (await exchangeKey(key))) || inAddress || keptSecret();
  if (secret === undefined) return undefined;
  if (keepSecret(secret)) history.replaceState(null, "", location.pathname);
  return { address: "", secret, isDialog: false };
}

/** Gets the panel's secret for a one-time key; undefined if that was used, or is too old. */
async function exchangeKey(key: string): Promise<string | undefined> {
  const answer = await fetch(PANEL_SESSION_PATH, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ key }),
    cache: "no-store",
  }).catch(() => undefined);
  if (answer?.ok !== true) return undefined;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the importer's answer
  return ((await answer.json()) as { readonly secret: string }).secret;
}

function keptSecret(): string | undefined {
  try {
    return sessionStorage.getItem(KEPT_SECRET) ?? undefined;
  } catch {
    return undefined;
  }
}

/** Keeps the secret in this tab; returns false where the browser doesn't, so that it has to stay in the address. */
function keepSecret(secret: string): boolean {
  try {
    sessionStorage.setItem(KEPT_SECRET, secret);
    return true;
  } catch {
    return false;
  }
}
