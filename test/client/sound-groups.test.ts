import { expect, test } from "vitest";
import type { AudioTools } from "../../client/send/session/audio-tools.ts";
import { askBeforeSending } from "../../client/send/session/draft-of-session.ts";
import { guessInput, guessList } from "../../client/send/session/guess-list.ts";
import { questionsOf } from "../../client/send/session/open-questions.ts";
import { choiceOf, draftOf, type GivenSound } from "../../client/send/session/session-sound.ts";
import { SessionSounds } from "../../client/send/session/session-sounds.ts";
import { FIRST_VIEW } from "../../client/send/session/session-view.ts";
import type { Heard } from "../../core/audio/listening/heard.ts";
import { inEnglish } from "../../core/messages/translate.ts";
import { ViewStore } from "../../core/view-store.ts";
import { smallWav } from "../wav-bytes.ts";

// Tests are compiled without a browser's types, which its recorder and decoder need.
const tools = "../../client/audio/index.ts";
const audio: AudioTools = await import(tools);

const STEMS = ["Drums", "Bass", "Lead Vocals", "Backing Vocals", "Guitar", "Keys", "Synth"];
const RATE = 8000;

function file(name: string, seconds = 180, frames = seconds * RATE) {
  const wav = smallWav({ frames, sampleRateHz: RATE, bits: 8 });
  return { source: new File([new Uint8Array(wav)], name), folderName: null };
}
const stems = (tempo = "") => STEMS.map((name) => file(`Neon Rain (${name})${tempo}.wav`));

function openSounds(bpm?: number) {
  const store = new ViewStore(FIRST_VIEW);
  const settings = () => ({
    relayUrl: "http://relay.test",
    appName: "Looper",
    asksTempo: true,
    bpm,
  });
  const sounds = new SessionSounds({ store, t: inEnglish, settings, audio });
  const group = () => {
    const [first] = store.view.groups;
    if (first === undefined) throw new Error("There is no recording.");
    return first;
  };
  /** Kind, tempo and length of each sound, without doubles. */
  const timings = () => {
    const all = store.view.sounds.map(draftOf);
    const found = all.map(({ kind, bpm: own, lengthBeats }) => `${kind} ${own} ${lengthBeats}`);
    return [...new Set(found)];
  };
  const names = () => store.view.sounds.map((sound) => choiceOf(sound).name);
  return { store, sounds, group, timings, names };
}

const AS_RECORDED = "oneshot undefined undefined";

test("[G19] stems without a known tempo are sent as recorded, and no file is asked about", async () => {
  const { store, sounds, group, timings, names } = openSounds();
  await sounds.add(stems());
  expect(group()).toMatchObject({ title: "Neon Rain", seconds: 180, bpm: null, knownBpm: null });
  expect(group().members).toEqual(store.view.sounds.map(({ key }) => key));
  expect(timings()).toEqual([AS_RECORDED]);
  expect(questionsOf(store.view)).toEqual({ kind: [], tempo: [] });
  expect(askBeforeSending(inEnglish, store.view)).toBeNull();
  expect([store.view.suggestion, names()]).toEqual(["Neon Rain", STEMS]);
  expect(store.view.announcement).toBe("7 sounds added. 7 stems of Neon Rain, 180 s: as recorded.");
});

test("[G19] a tempo in one name is the tempo of all stems, whatever the order in which they come", async () => {
  const drums = file("Neon Rain (Drums) 97bpm.wav");
  const [, ...others] = stems();
  for (const order of [
    [drums, ...others],
    [...others, drums],
  ]) {
    const { sounds, group, timings } = openSounds();
    for (const one of order) await sounds.add([one]);
    expect(group()).toMatchObject({ bpm: 97, knownBpm: 97 });
    expect(timings()).toEqual(["loop 97 291"]);
  }
});

test("[G19] a tempo that is typed for the package or the recording is the tempo of all, until it is cleared", async () => {
  const { store, sounds, group, timings } = openSounds();
  await sounds.add(stems());
  sounds.setTempo("97");
  expect(timings()).toEqual(["loop 97 291"]);
  sounds.setTempo(null);
  expect(timings()).toEqual([AS_RECORDED]);
  // Not a tempo yet.
  sounds.setGroupTempo(group(), "9");
  expect([store.view.bpm, timings()]).toEqual([null, [AS_RECORDED]]);
  sounds.setGroupTempo(group(), "96");
  expect([store.view.bpm, timings()]).toEqual(["96", ["loop 96 288"]]);
  sounds.setGroupTempo(group(), "");
  expect([store.view.bpm, timings()]).toEqual([null, [AS_RECORDED]]);
});

test("[G19] a recording whose tempo is known plays as recorded if a person says so, and in time again", async () => {
  const { store, sounds, group, timings } = openSounds();
  await sounds.add(stems(" 97bpm"));
  sounds.playInTime(group(), false);
  expect([group().bpm, group().knownBpm, timings()]).toEqual([null, 97, [AS_RECORDED]]);
  expect(store.view.announcement).toBe("7 stems of Neon Rain, 180 s: as recorded");
  // One that comes later has the same answer.
  await sounds.add([file("Neon Rain (Strings).wav")]);
  expect([group().members.length, timings()]).toEqual([8, [AS_RECORDED]]);
  sounds.playInTime(group(), true);
  expect(timings()).toEqual(["loop 97 291"]);
});

test("[G19] a typed tempo replaces that of the names for all stems, with one length", async () => {
  const { sounds, group, timings } = openSounds();
  const [first, ...others] = stems(" 97bpm");
  // One buffer longer than the others.
  await sounds.add([file("Neon Rain (Drums) 97bpm.wav", 0, 180 * RATE + 512), ...others]);
  expect([first?.source.name, group().members.length]).toEqual(["Neon Rain (Drums) 97bpm.wav", 7]);
  sounds.setGroupTempo(group(), "98");
  expect(timings()).toEqual(["loop 98 294"]);
  sounds.playInTime(group(), false);
  sounds.playInTime(group(), true);
  expect(timings()).toEqual(["loop 98 294"]);
  sounds.setGroupTempo(group(), "");
  expect(timings()).toEqual(["loop 97 291"]);
});

test("[G19] one-shots and loops beside a recording have their own guesses and questions", async () => {
  const { store, sounds, group, names } = openSounds();
  const amen = file("Amen Break 120 BPM.wav", 4);
  await sounds.add([file("Kick.wav", 0.2), ...stems(), amen, file("Idea.wav", 3.28)]);
  expect(group().members).toHaveLength(7);
  const kinds = store.view.sounds.map((sound) => choiceOf(sound).kind);
  expect(kinds).toEqual(["oneshot", ...STEMS.map(() => "oneshot"), "loop", null]);
  expect(questionsOf(store.view).kind.map(({ fileName }) => fileName)).toEqual(["Idea.wav"]);
  expect(names()).toEqual(["Kick", ...STEMS, "Amen Break", "Idea"]);
  expect(store.view.suggestion).toBe("Neon Rain");
});

test("[G19] what a person sets for one stem doesn't take it out of its recording", async () => {
  const { store, sounds, group, timings, names } = openSounds();
  await sounds.add([...stems(), file("Idea.wav", 3.28)]);
  const keys = new Set(store.view.sounds.map(({ key }) => key));
  sounds.edit(keys, { kind: "loop", bpm: "80", lengthBeats: "4", role: "drums" });
  expect(timings()).toEqual([AS_RECORDED, "loop 80 4"]);
  expect(store.view.sounds.map((sound) => choiceOf(sound).role)).toEqual(
    [...keys].map(() => "drums"),
  );
  sounds.edit(new Set([group().members[0] ?? ""]), { name: "Kit" });
  sounds.setTempo("97");
  expect(timings()).toEqual(["loop 97 291", "loop 80 4"]);
  expect(names()).toEqual(["Kit", ...STEMS.slice(1), "Idea"]);
});

test("[G19] files that a person treats separately have a guess each, with the whole name", async () => {
  const { store, sounds, group, names } = openSounds();
  await sounds.add(stems());
  const keys = [...group().members];
  sounds.separate(group());
  expect(store.view.groups).toEqual([]);
  expect(store.view.sounds.map(({ key }) => key)).toEqual(keys);
  expect(names()[0]).toBe("Neon Rain (Drums)");
  expect(store.view.sounds.every(({ guess }) => guess.bpm === null)).toBe(true);
});

test("[G19] a recording ends with its last but one file; names and keys stay unique", async () => {
  const { store, sounds, group, names } = openSounds();
  await sounds.add([file("Drums.wav", 0.3), ...stems().slice(0, 2)]);
  expect(names()).toEqual(["Drums", "Drums 2", "Bass"]);
  expect(new Set(store.view.sounds.map(({ key }) => key)).size).toBe(3);
  sounds.remove([group().members[1] ?? ""]);
  expect([store.view.groups, names()]).toEqual([[], ["Drums", "Neon Rain (Drums)"]]);
});

test("[G19] what an app says of a sound is sent as it says it", async () => {
  const given = (over: Omit<GivenSound, "source">) =>
    stems().map((stem) => Object.assign(stem, over));
  const kinds = openSounds();
  await kinds.sounds.add(given({ kind: "oneshot" }));
  expect([kinds.store.view.groups, kinds.timings()]).toEqual([[], [AS_RECORDED]]);
  // A tempo is the one of the recording.
  const tempi = openSounds();
  await tempi.sounds.add(given({ bpm: 97 }));
  expect(tempi.timings()).toEqual(["loop 97 291"]);
  expect(tempi.group().bpm).toBe(97);
  const other = openSounds();
  await other.sounds.add([{ ...file("Neon Rain (Drums).wav"), bpm: 80 }, ...stems(" 97bpm")]);
  expect([other.group().members.length, other.group().bpm]).toEqual([7, 97]);
  const attribute = openSounds(97);
  await attribute.sounds.add(stems());
  expect(attribute.timings()).toEqual(["loop 97 291"]);
});

test("[G19] sounds without names are no recording", async () => {
  const { store, sounds } = openSounds();
  const source = file("").source;
  await sounds.add([{ source: new Blob([source]) }, { source: new Blob([source]) }]);
  expect([store.view.sounds.length, store.view.groups]).toEqual([2, []]);
});

test("[G19] restored sounds are one recording with the stems that are added later", async () => {
  const before = openSounds();
  await before.sounds.add(stems().slice(0, 3));
  before.sounds.playInTime(before.group(), false);
  const after = openSounds();
  after.sounds.restore(before.store.view.sounds);
  await after.sounds.add([file("Neon Rain (Synth) 97bpm.wav")]);
  expect([after.group().members.length, after.group().knownBpm]).toEqual([4, 97]);
  expect(after.timings()).toEqual([AS_RECORDED]);
});

test("[G19] the guess of the list depends on its sounds and the package's tempo alone", async () => {
  const { store, sounds } = openSounds();
  await sounds.add([...stems(), file("Kick.wav", 0.2)]);
  const once = guessList(store.view.sounds, 97);
  expect(guessList(once.sounds, 97)).toEqual(once);
  expect(guessList(guessList(once.sounds, undefined).sounds, 97)).toEqual(once);
});

test("[G19] a sound is described again only after a change", async () => {
  const { store, sounds } = openSounds();
  await sounds.add(stems().slice(0, 1));
  const [sound] = store.view.sounds;
  if (sound === undefined) throw new Error("no sound");
  const before = guessInput(sound, 120);
  expect(guessInput({ ...sound, answer: undefined }, 120)).toBe(before);
  const heard: Heard = { kind: "loop", bpm: 97, lengthBeats: 4, confidence: 0.6 };
  const changes = [{ fileName: "Kick.wav" }, { folderName: "Drums" }, { heard }] as const;
  for (const change of changes) {
    expect(guessInput({ ...sound, ...change }, 120)).toMatchObject({ ...change, packageBpm: 120 });
  }
  expect(guessInput({ ...sound, edits: { bpm: "97" } }, 120).packageBpm).toBe(97);
  expect(guessInput(sound, undefined).packageBpm).toBeUndefined();
});
