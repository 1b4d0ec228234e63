import { expect, test } from "vitest";
import type { AudioTools } from "../../client/send/session/audio-tools.ts";
import {
  asksPacking,
  formatPacking,
  formatPackQuestion,
  packingOf,
} from "../../client/send/session/session-packing.ts";
import type { SessionSound } from "../../client/send/session/session-sound.ts";
import { SessionSounds } from "../../client/send/session/session-sounds.ts";
import { FIRST_VIEW } from "../../client/send/session/session-view.ts";
import { inEnglish } from "../../core/messages/translate.ts";
import { ViewStore } from "../../core/view-store.ts";
import { smallWav } from "../wav-bytes.ts";

// Tests are compiled without a browser's types, which its recorder and decoder need.
const tools = "../../client/audio/index.ts";
const audio: AudioTools = await import(tools);

const file = (name: string, bytes: Uint8Array = smallWav()) => ({
  source: new File([new Uint8Array(bytes)], name),
});
const hits = (count: number, first = 1) =>
  Array.from({ length: count }, (_, index) => file(`Hit One Shot ${first + index}.wav`));

/** A session whose sounds can be large: each has the size that its name says in MB, and 24 bits. */
function openSounds() {
  const store = new ViewStore(FIRST_VIEW);
  const settings = () => ({ relayUrl: "http://relay.test", appName: "Looper", asksTempo: true });
  const sounds = new SessionSounds({ store, t: inEnglish, settings, audio: sized });
  return { store, sounds };
}

/** Tools that read `Stem 1 [31.752 MB].wav` as a sound of that size. */
const sized: AudioTools = {
  ...audio,
  convert: async (sound, { name }) => {
    const [, megabytes] = /\[([\d.]+) MB\]/.exec(name) ?? [];
    if (megabytes === undefined) return audio.convert(sound, { name });
    const bytes = Math.round(Number(megabytes) * 1_000_000);
    const wav = new File([], name);
    Object.defineProperty(wav, "size", { value: bytes });
    const frames = Math.floor((bytes - 44) / 6);
    const header = {
      encoding: "pcm",
      channels: 2,
      sampleRateHz: 44_100,
      bitsPerSample: 24,
      dataOffset: 44,
      dataBytes: frames * 6,
      frames,
    } as const;
    return { wav, header, hints: {}, from: null, notes: [] };
  },
};

const stems = (count: number, megabytes: number) =>
  Array.from({ length: count }, (_, index) => file(`Stem ${index + 1} [${megabytes} MB].wav`));
const choices = (store: ViewStore<typeof FIRST_VIEW>) =>
  packingOf(store.view).plan.choices.map((one) => formatPacking(inEnglish, one));
const keysOf = (sounds: readonly SessionSound[]) => sounds.map(({ key }) => key);

test("[G20] 222 MB are accepted, and one question comes before Send", async () => {
  const { store, sounds } = openSounds();
  await sounds.add(stems(7, 31.752));
  expect(store.view.sounds).toHaveLength(7);
  expect(store.view.refused).toEqual([]);
  expect(asksPacking(store.view)).toBe(true);
  const question = formatPackQuestion(inEnglish, store.view);
  expect(question).toBe(
    "222.3 MB in total; one package holds 209.7 MB. " +
      "Several become separate scenes: launch them together.",
  );
  expect(choices(store)).toEqual(["16 bit, 148.2 MB: one scene", "2 packages, 2 scenes"]);
  sounds.edit(new Set(keysOf(store.view.sounds)), { kind: "oneshot" });
  expect(sounds.outgoing()).toMatchObject({ question, packages: [] });
});

test("[G20] the answer can be changed, and says what is sent", async () => {
  const { store, sounds } = openSounds();
  await sounds.add(stems(7, 31.752));
  sounds.setTitle("Neon Rain");
  sounds.edit(new Set(keysOf(store.view.sounds)), { kind: "oneshot" });
  sounds.answerPacking({ as16: true, count: 1 });
  expect(sounds.outgoing()).toMatchObject({ question: null, packages: [{ title: "Neon Rain" }] });
  sounds.answerPacking({ as16: false, count: 2 });
  const outgoing = sounds.outgoing();
  expect(outgoing?.packages.map(({ title, keys }) => [title, keys.length])).toEqual([
    ["Neon Rain (1 of 2)", 6],
    ["Neon Rain (2 of 2)", 1],
  ]);
  expect(asksPacking(store.view)).toBe(true);
});

test("[G20] removing sounds removes the question, and the answer with it", async () => {
  const { store, sounds } = openSounds();
  await sounds.add(stems(7, 31.752));
  sounds.answerPacking({ as16: true, count: 1 });
  const [first = ""] = keysOf(store.view.sounds);
  sounds.remove([first]);
  expect(asksPacking(store.view)).toBe(false);
  expect(store.view.packAnswer).toBeNull();
  await sounds.add(stems(1, 31.752));
  // 16 bit is never chosen unasked.
  expect(packingOf(store.view).chosen).toBeNull();
});

test("[G20] an answer doesn't count for more packages than it said", async () => {
  const { store, sounds } = openSounds();
  await sounds.add(hits(40));
  expect(choices(store)).toEqual(["2 packages, 2 scenes"]);
  expect(formatPackQuestion(inEnglish, store.view)).toContain(
    "40 sounds in total; one package holds 32.",
  );
  sounds.answerPacking({ as16: false, count: 2 });
  expect(packingOf(store.view).chosen).not.toBeNull();
  await sounds.add(hits(30, 41));
  expect(packingOf(store.view).chosen).toBeNull();
  expect(choices(store)).toEqual(["3 packages, 3 scenes"]);
});

test("[G4][G20] sounds beyond what can be sent at once are refused", async () => {
  const { store, sounds } = openSounds();
  await sounds.add(hits(130));
  expect(store.view.sounds).toHaveLength(128);
  expect(store.view.refused).toMatchObject([
    { name: "Hit One Shot 129.wav", sentence: null },
    { name: "Hit One Shot 130.wav", sentence: null },
  ]);
  const { store: other, sounds: large } = openSounds();
  await large.add(stems(5, 200));
  expect(other.view.sounds).toHaveLength(4);
  expect(other.view.refused[0]?.sentence).toContain("would be more than 838.9 MB together");
});

test("[G20] what four packages can't hold is said, and not sent", async () => {
  const { store, sounds } = openSounds();
  await sounds.add(stems(7, 115));
  // As 16 bit, 77 MB each: two in a package.
  expect(choices(store)).toEqual(["16 bit, 536.7 MB: 4 packages, 4 scenes"]);
  sounds.remove(keysOf(store.view.sounds));
  await sounds.add(stems(5, 160));
  expect(choices(store)).toEqual([]);
  expect(formatPackQuestion(inEnglish, store.view)).toContain(
    "800 MB in total: too much for 4 packages",
  );
  sounds.edit(new Set(keysOf(store.view.sounds)), { kind: "oneshot" });
  expect(sounds.outgoing()?.question).toContain("too much for 4 packages");
});

test("[G20] as 16 bit, deeper sounds are converted, and clipping is reported; others keep their bytes", async () => {
  const { store, sounds } = openSounds();
  const loud = smallWav({ frames: 10, bits: 32 });
  loud.writeUInt16LE(3, 20);
  loud.writeFloatLE(1.5, 44);
  await sounds.add([file("Loud One Shot.wav", loud), file("Plain One Shot.wav")]);
  // As if they were too large.
  const keys = keysOf(store.view.sounds);
  const series = { title: "Kit", bpm: undefined, as16: true, sent: 0, count: 1, parts: [keys] };
  store.change({ series });
  const [part] = sounds.outgoing()?.packages ?? [];
  const described = await part?.describe(new AbortController().signal);
  expect(described?.notes).toEqual(["Loud One Shot: 1 sample beyond full scale was clipped."]);
  const sizes = described?.draft.sounds.map(({ source }) =>
    source instanceof Blob ? source.size : 0,
  );
  expect(sizes).toEqual([64, 244]);
  expect(described?.draft.sounds[1]?.source).toBe(store.view.sounds[1]?.source);
});
