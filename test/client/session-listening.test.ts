import { expect, test } from "vitest";
import type { AudioTools } from "../../client/send/session/audio-tools.ts";
import { choiceOf } from "../../client/send/session/session-sound.ts";
import { SessionSounds } from "../../client/send/session/session-sounds.ts";
import { FIRST_VIEW } from "../../client/send/session/session-view.ts";
import type { Heard } from "../../core/audio/listening/heard.ts";
import { inEnglish } from "../../core/messages/translate.ts";
import { ViewStore } from "../../core/view-store.ts";
import { chunk, format, wav } from "../../fixtures/wav-bytes.ts";

// Tests are compiled without a browser's types, which its recorder and decoder need.
const tools = "../../client/audio/index.ts";
const audio: AudioTools = await import(tools);

const LOOP: Heard = { kind: "loop", bpm: 97.3, lengthBeats: 8, confidence: 0.65 };
const settings = () => ({ relayUrl: "http://relay.test", appName: "Looper", asksTempo: true });

/** 8 beats at 97.3 BPM, whose length fits no whole tempo. */
function fileOf(name: string) {
  const data = new Uint8Array(Math.round((8 * 60 * 8000) / 97.3) * 2);
  const bytes = wav([
    chunk("fmt ", format({ sampleRateHz: 8000, bits: 16, channels: 1 })),
    chunk("data", data),
  ]);
  return { source: new File([Uint8Array.from(bytes)], name) };
}

/** A session in which listening answers once the test says what it heard. */
function openSounds() {
  const asked: ((heard: Heard | null) => void)[] = [];
  const listen = () => new Promise<Heard | null>((answer) => void asked.push(answer));
  const store = new ViewStore(FIRST_VIEW);
  const sounds = new SessionSounds({ store, t: inEnglish, settings, audio: { ...audio, listen } });
  const answer = async (heard: Heard | null): Promise<void> => {
    asked.shift()?.(heard);
    for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
  };
  return { store, sounds, asked, answer, first: () => store.view.sounds[0] };
}

test("[Y11] the page shows the guess first, and changes it once the sound was heard", async () => {
  const { store, sounds, asked, answer, first } = openSounds();
  await sounds.add([
    fileOf("Thing.wav"),
    fileOf("Kick Loop 97.3 BPM.wav"),
    fileOf("Kick Hard.wav"),
  ]);
  expect(first()?.guess).toMatchObject({ kind: null, bpm: null });
  expect(asked).toHaveLength(1);
  const { announcement } = store.view;
  await answer(LOOP);
  expect(first()?.guess).toMatchObject({ kind: "loop", bpm: 97.3, title: "Thing" });
  expect(first()?.guess.because).toContain("Heard");
  expect(store.view.announcement).toBe(announcement);
  sounds.setTempo("120");
  expect(first()?.guess.bpm).toBe(97.3);
});

test("[Y11] what a person set stays, and what is being sent does not change", async () => {
  const { store, sounds, answer, first } = openSounds();
  await sounds.add([fileOf("Thing.wav"), fileOf("Object.wav")]);
  const [thing] = store.view.sounds;
  sounds.edit(new Set([thing?.key ?? ""]), { kind: "oneshot" });
  await answer(LOOP);
  expect(first() && choiceOf(first() ?? expect.fail()).kind).toBe("oneshot");
  store.change({ attempt: { id: "1", isCurrent: true } });
  await answer(LOOP);
  expect(store.view.attempt?.isCurrent).toBe(true);
  expect(store.view.sounds[1]?.guess.kind).toBeNull();
});

test("[Y11] a removed sound stays removed, and without a Worker the question stays", async () => {
  const { store, sounds, asked, answer } = openSounds();
  await sounds.add([fileOf("Thing.wav"), fileOf("Object.wav"), fileOf("Item.wav")]);
  sounds.remove([store.view.sounds[0]?.key ?? ""]);
  await answer(LOOP);
  expect(store.view.sounds.map(({ guess }) => guess.kind)).toEqual([null, null]);
  await answer(null);
  expect(asked).toHaveLength(0);
  expect(store.view.sounds.map(({ guess }) => guess.kind)).toEqual([null, null]);
  expect(
    await audio.listen(new Blob([]), store.view.sounds[0]?.header ?? expect.fail()),
  ).toBeNull();
});
