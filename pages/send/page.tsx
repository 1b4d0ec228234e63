import { render } from "preact";
import * as audio from "../../client/audio/index.ts";
import { readCodeInAddress } from "../../client/pairing/pairing-link.ts";
import { SendSession } from "../../client/send/session/send-session.ts";
import { choiceOf, type SessionSound } from "../../client/send/session/session-sound.ts";
import { SessionRecording } from "../../client/send/session/session-recording.ts";
import { SessionSounds } from "../../client/send/session/session-sounds.ts";
import type {
  SentSound,
  SessionDeps,
  SessionView,
} from "../../client/send/session/session-view.ts";
import { VERSION } from "../../core/version.ts";
import { choosePageLanguage } from "../kit/choose-page-language.ts";
import { t } from "../kit/page-language.ts";
import { App } from "./app.tsx";
import { addShared, startAppWorker } from "./app/start-app.ts";
import { DraftKeeper } from "./draft/draft-keeper.ts";
import { PageActions } from "./page-actions.ts";
import type { Page } from "./page-context.ts";
import { PageStore } from "./page-view.ts";
import { relayOfPage } from "./pairing/format-route.ts";
import { defaultSender, openPairings, readSender } from "./pairing/sender.ts";
import { keepAwakeWhileSending } from "./sending/keep-awake.ts";
import { describeSent, sentKey, STORED_SENT } from "./sending/sent-notes.ts";
import { foundFile } from "./sounds/sound-files.ts";
import { type HeardSound, PageAudio, SoundCache, SoundPlayer } from "./sounds/page-audio.ts";

// The page's entry point: reads the address and the browser's storage, then renders.

/** Time that files wait for the draft. */
const DRAFT_MS = 3000;

choosePageLanguage();
const named = document.querySelector<HTMLMetaElement>('meta[name="relay"]')?.content ?? "";
const relayUrl = relayOfPage(named, location.href);
const store = new PageStore();
store.change({ sender: readSender() });
const { id, pairings } = openPairings();
/** The sounds of the packages that were sent since the page was opened, by their descriptions. */
const sentSounds = new WeakMap<readonly SentSound[], readonly SessionSound[]>();
const deps: SessionDeps = {
  store,
  t,
  settings: () => ({
    relayUrl,
    appName: store.view.sender.trim() || defaultSender(),
    asksTempo: true,
  }),
  pairings,
  appId: () => id,
  flush: async () => (await draft)?.flush(),
  sentNotes: STORED_SENT,
};
const LISTENING_WORKER = `client-${VERSION}/listening-worker.js`;
const listen: typeof audio.listen = (wav, header) => audio.listen(wav, header, LISTENING_WORKER);
const soundDeps = { ...deps, audio: { ...audio, listen }, describe };
const sounds = new SessionSounds(soundDeps);
const session = new SendSession(deps, () => sounds.outgoing());
const [cache, player] = [new SoundCache(), new SoundPlayer()];
const draft = DraftKeeper.start(store, sounds);
// New sounds must not get the keys of restored ones. A browser that never answers must not stop the page.
sounds.readAfter(Promise.race([draft, new Promise((resolve) => setTimeout(resolve, DRAFT_MS))]));
const page: Page = {
  relayUrl,
  session,
  sounds,
  recording: new SessionRecording(soundDeps, sounds),
  actions: new PageActions(store, sounds),
  draftAudio: new PageAudio((key) => heard(store.view.sounds, key), cache, player),
  sentAudio: new PageAudio(sentSound, cache, player),
  isHere: (key) => sentSound(key) !== undefined,
};

/** Describes the sounds that are sent, and remembers them so that they can still be played. */
function describe(view: SessionView): readonly SentSound[] {
  const described = describeSent(view);
  sentSounds.set(described, view.sounds);
  return described;
}

function heard(all: readonly SessionSound[], key: string): HeardSound | undefined {
  const sound = all.find((known) => known.key === key);
  return sound && { source: sound.source, isLoop: choiceOf(sound).kind === "loop" };
}

/** Finds a sound that was sent since the page was opened, by the key of its row. */
function sentSound(key: string): HeardSound | undefined {
  const item = store.view.sent.find((one) => key.startsWith(sentKey(one, "")));
  const all = item && sentSounds.get(item.sounds);
  return all && heard(all, key.slice(sentKey(item, "").length));
}

/** Removes the code from the address, so that it stays out of the history and is not shared by accident. */
function takeCode(): string | null {
  const code = readCodeInAddress(location.hash);
  if (location.hash !== "") history.replaceState(null, "", location.pathname + location.search);
  return code;
}

/** Shows what is stored, then asks the relay about each computer. */
async function begin(): Promise<void> {
  await session.begin(takeCode());
  await session.pairing.refresh();
}

/** Adds files that another app shared. They are in the draft before their own place is emptied. */
async function add(files: readonly File[]): Promise<void> {
  await page.actions.add(files.map(foundFile));
  await (await draft)?.flush();
}

const root = document.createElement("div");
document.body.prepend(root);
session.sent.restore();
void begin();
void addShared({ add, onLost: () => store.change({ error: t("page.shareAgain") }) });
startAppWorker();
keepAwakeWhileSending(store);
render(<App page={page} store={store} />, root);
addEventListener("hashchange", () => {
  const code = takeCode();
  if (code !== null) session.pairing.ask(code);
});
// Otherwise the browser replaces the page with a file that is dropped elsewhere on it.
for (const name of ["dragover", "drop"] as const) {
  addEventListener(name, (event) => event.preventDefault());
}
addEventListener("beforeunload", (event) => {
  if (store.view.sending !== null || store.view.recording !== null) event.preventDefault();
});
