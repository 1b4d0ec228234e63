import { render } from "preact";
import { choosePageLanguage } from "../kit/choose-page-language.ts";
import { SoundPlayer, type HeardSound, PageAudio, SoundCache } from "./sounds/page-audio.ts";
import { App } from "./app.tsx";
import { DraftKeeper } from "./draft/draft-keeper.ts";
import type { Page } from "./page-context.ts";
import { openPairings, PairingActions } from "./pairing/pairing-actions.ts";
import { PageStore } from "./page-view.ts";
import { readCodeInAddress } from "../../client/pairing/pairing-link.ts";
import { RecordingActions } from "./sounds/recording-actions.ts";
import { relayOfPage } from "./pairing/format-route.ts";
import { SendActions } from "./sending/send-actions.ts";
import { SentActions } from "./sending/sent-actions.ts";
import { choiceOf } from "./sounds/page-sound.ts";
import { SoundActions } from "./sounds/sound-actions.ts";

// The page's entry point: reads the address and the browser's storage, then renders.

/** Time that files wait for the draft. */
const DRAFT_MS = 3000;

choosePageLanguage();
const named = document.querySelector<HTMLMetaElement>('meta[name="relay"]')?.content ?? "";
const relayUrl = relayOfPage(named, location.href);
const store = new PageStore();
const pairings = openPairings();
const pairing = new PairingActions(store, pairings, relayUrl);
const sent = new SentActions(store, pairings);
const sounds = new SoundActions(store);
const [cache, player] = [new SoundCache(), new SoundPlayer()];
const draft = DraftKeeper.start(store);
// New sounds must not get the keys of restored ones. A browser that never answers must not stop the page.
sounds.readAfter(Promise.race([draft, new Promise((resolve) => setTimeout(resolve, DRAFT_MS))]));
const flushDraft = async (): Promise<void> => (await draft)?.flush();
const sentSounds = new Map<string, HeardSound>();
const page: Page = {
  relayUrl,
  pairing,
  sent,
  sounds,
  recorder: new RecordingActions(store, sounds),
  sending: new SendActions({ store, pairings, pairing, sent, sentSounds, flushDraft }),
  draftAudio: new PageAudio(heardSound, cache, player),
  sentAudio: new PageAudio((key) => sentSounds.get(key), cache, player),
  sentSounds,
};

/** Finds a sound of the new package. */
function heardSound(key: string): HeardSound | undefined {
  const sound = store.view.sounds.find((known) => known.key === key);
  return sound && { source: sound.source, isLoop: choiceOf(sound).kind === "loop" };
}

/** Removes the code from the address, so that it stays out of the history and is not shared by accident. */
function takeCode(): string | null {
  const code = readCodeInAddress(location.hash);
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
// Otherwise the browser replaces the page with a file that is dropped elsewhere on it.
for (const name of ["dragover", "drop"] as const) {
  addEventListener(name, (event) => event.preventDefault());
}
addEventListener("beforeunload", (event) => {
  if (store.view.sending !== null || store.view.recording !== null) event.preventDefault();
});
