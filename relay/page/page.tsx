import { render } from "preact";
import { App } from "./app.tsx";
import type { Page } from "./page-context.ts";
import { openPairings } from "./page-pairings.ts";
import { PageStore } from "./page-store.ts";
import { codeOfAddress } from "./pairing/code-of-address.ts";
import { PairingActions } from "./pairing/pairing-actions.ts";
import { relayOfPage } from "./relay-of-page.ts";
import { SendActions } from "./sending/send-actions.ts";
import { SentActions } from "./sending/sent-actions.ts";
import { SoundActions } from "./sounds/sound-actions.ts";
import { SoundPlayer } from "../../web/sound-player.ts";
import { SoundCache } from "./sounds/sound-cache.ts";

// The page's entry point: reads the address and the browser's storage, then renders.

const named = document.querySelector<HTMLMetaElement>('meta[name="relay"]')?.content ?? "";
const relayUrl = relayOfPage(named, location.href);
const store = new PageStore();
const pairings = openPairings();
const pairing = new PairingActions(store, pairings, relayUrl);
const sent = new SentActions(store, pairings);
const page: Page = {
  relayUrl,
  pairing,
  sent,
  sounds: new SoundActions(store),
  sending: new SendActions({ store, pairings, pairing, sent }),
  soundCache: new SoundCache(),
  player: new SoundPlayer(),
};

/** Removes the code from the address, so that it stays out of the history and is not shared by accident. */
function takeCode(): string | null {
  const code = codeOfAddress(location.hash);
  if (location.hash !== "") history.replaceState(null, "", location.pathname + location.search);
  return code;
}

const root = document.createElement("div");
document.body.prepend(root);
sent.resume();
void pairing.begin(takeCode());
render(<App page={page} store={store} />, root);
addEventListener("hashchange", () => {
  const code = takeCode();
  if (code !== null) pairing.ask(code);
});
// Otherwise the browser opens a file dropped elsewhere on the page in its place.
for (const name of ["dragover", "drop"] as const) {
  addEventListener(name, (event) => event.preventDefault());
}
addEventListener("beforeunload", (event) => {
  if (store.view.sending !== null) event.preventDefault();
});
