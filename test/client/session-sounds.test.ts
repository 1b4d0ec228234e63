import { expect, test } from "vitest";
import type { AudioTools } from "../../client/send/session/audio-tools.ts";
import { SessionSounds } from "../../client/send/session/session-sounds.ts";
import { FIRST_VIEW } from "../../client/send/session/session-view.ts";
import { inEnglish } from "../../core/messages/translate.ts";
import { ViewStore } from "../../core/view-store.ts";
import { smallWav } from "../wav-bytes.ts";

// Tests are compiled without a browser's types, which its recorder and decoder need.
const tools = "../../client/audio/index.ts";
const audio: AudioTools = await import(tools);

const settings = () => ({
  relayUrl: "http://relay.test",
  appName: "Looper",
  asksTempo: true,
});

/** The sounds of a session, and what its list of refused files says. */
function openSounds() {
  const store = new ViewStore(FIRST_VIEW);
  const sounds = new SessionSounds({ store, t: inEnglish, settings, audio });
  const refused = () => store.view.refused.map(({ name }) => name);
  return { store, sounds, refused };
}

const file = (name: string, bytes: Uint8Array = smallWav()) => ({
  source: new File([new Uint8Array(bytes)], name),
});
const BAD = smallWav({ channels: 6 });

test("[G4] a refused file stays listed while others are added, and is removed alone", async () => {
  const { store, sounds, refused } = openSounds();
  await sounds.add([file("six.wav", BAD), file("good.wav")]);
  await sounds.add([file("other.wav"), file("eight.wav", BAD)], { unreadable: ["locked.wav"] });
  expect(refused()).toEqual(["six.wav", "locked.wav", "eight.wav"]);
  store.change({ attempt: { id: "1", isCurrent: true } });
  const [first] = store.view.refused;
  sounds.remove([first?.key ?? ""]);
  expect(refused()).toEqual(["locked.wav", "eight.wav"]);
  expect(store.view.sounds).toHaveLength(2);
  // Nothing that is sent has changed.
  expect(store.view.attempt?.isCurrent).toBe(true);
});

test("[G4] a file that is dropped twice is listed once, and no longer once it was mended", async () => {
  const { store, sounds, refused } = openSounds();
  await sounds.add([file("six.wav", BAD)]);
  await sounds.add([file("six.wav", BAD), file("seven.wav", BAD)]);
  expect(refused()).toEqual(["six.wav", "seven.wav"]);
  await sounds.add([file("six.wav")]);
  expect(refused()).toEqual(["seven.wav"]);
  expect(store.view.sounds).toHaveLength(1);
});

test("[G4] a refused file never has the key of a sound", async () => {
  const { store, sounds } = openSounds();
  const adding = sounds.add([file("good.wav")], { unreadable: ["locked.wav"] });
  await adding;
  await sounds.add([file("six.wav", BAD), file("more.wav")]);
  const keys = [...store.view.sounds, ...store.view.refused].map(({ key }) => key);
  expect(new Set(keys).size).toBe(4);
});
