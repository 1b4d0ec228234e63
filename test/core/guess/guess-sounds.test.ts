import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { LoopHints } from "../../../core/audio/read-loop-hints.ts";
import { guessTitle } from "../../../core/guess/guess-package-title.ts";
import { guessSounds } from "../../../core/guess/guess-sounds.ts";
import type { GuessInput } from "../../../core/guess/sound-guess.ts";
import { cleanName, cleanTitle } from "../../../core/text/clean-text.ts";
import { CODE_POINT } from "../../code-point.ts";
import { runs } from "../../runner/random-seed.ts";

/** Stems of a song, with what each file says. */
function stems(seconds: number, ...more: readonly Partial<GuessInput>[]): readonly GuessInput[] {
  const frames = Math.round(seconds * 48_000);
  return ["Drums", "Bass", "Keys", "Vox"].map((stem, index) => {
    const fileName = `Undertow ${stem}.wav`;
    const input = { fileName, folderName: "Songs", frames, sampleRateHz: 48_000, hints: {} };
    return Object.assign(input, more[index]);
  });
}

/** Returns stems, each with more said about it. */
function allStems(seconds: number, more: (stem: GuessInput) => Partial<GuessInput>) {
  const plain = stems(seconds);
  return stems(seconds, ...plain.map(more));
}

function tempoOf(inputs: readonly GuessInput[]): number | null | undefined {
  return guessSounds(inputs).recordings[0]?.bpm;
}

describe("[Y8] the tempo of a recording", () => {
  const OTHER_SECONDS = 200.0137;
  const whole = (seconds: number): LoopHints => ({
    sampler: { startFrame: 0, endFrame: Math.round(seconds * 48_000) - 1 },
  });

  test("is one that a name, a folder, a tag or an acid chunk says", () => {
    expect(tempoOf(stems(OTHER_SECONDS))).toBeNull();
    expect(tempoOf(stems(OTHER_SECONDS, {}, { fileName: "Undertow 97 BPM Bass.wav" }))).toBe(97);
    expect(tempoOf(stems(OTHER_SECONDS, { hints: { tempoBpm: 97.5 } }))).toBe(97.5);
    expect(tempoOf(stems(OTHER_SECONDS, { fileName: "Undertow 87-174bpm Drums.wav" }))).toBe(174);
    const folderName = "Undertow 97bpm";
    expect(tempoOf(allStems(OTHER_SECONDS, () => ({ folderName })))).toBe(97);
    const acid = { isOneShot: false, beats: 324, tempoBpm: 97 };
    expect(tempoOf(stems(OTHER_SECONDS, { hints: { acid } }))).toBe(97);
    expect(tempoOf(stems(OTHER_SECONDS, { hints: { acid: { ...acid, beats: 4 } } }))).toBeNull();
  });

  test("is said by a smpl chunk only beside whole bars of a whole tempo", () => {
    const seconds = (292 * 60) / 97;
    expect(tempoOf(stems(seconds))).toBeNull();
    expect(tempoOf(stems(seconds, { hints: whole(seconds) }))).toBe(97);
    expect(tempoOf(stems(OTHER_SECONDS, { hints: whole(OTHER_SECONDS) }))).toBeNull();
    expect(tempoOf(stems(180, { hints: whole(180) }))).toBeNull();
  });

  test("is a bare number only beside a key or with whole bars", () => {
    const named = (name: string, seconds: number) =>
      tempoOf(allStems(seconds, ({ fileName }) => ({ fileName: `${name} ${fileName}` })));
    expect(named("Summer 69", OTHER_SECONDS)).toBeNull();
    expect(named("Blink 182", 180)).toBeNull();
    expect(named("Area 97", (292 * 60) / 97)).toBe(97);
    expect(named("97 Am", OTHER_SECONDS)).toBe(97);
    expect(named("Am_97", OTHER_SECONDS)).toBe(97);
  });

  test("is that of more than half of those that say one, else a person's", () => {
    const two = [{ fileName: "Undertow 97bpm Drums.wav" }, { fileName: "Undertow 98bpm Bass.wav" }];
    expect(tempoOf(stems(OTHER_SECONDS, ...two))).toBeNull();
    const third = { fileName: "Undertow 97bpm Keys.wav" };
    expect(tempoOf(stems(OTHER_SECONDS, ...two, third))).toBe(97);
    const [drums, bass] = two;
    const packageBpm = 100;
    const asked = stems(OTHER_SECONDS, { ...drums, packageBpm }, { ...bass, packageBpm });
    expect(tempoOf(asked)).toBe(100);
    expect(tempoOf(stems(OTHER_SECONDS, { ...third, packageBpm: 100 }))).toBe(97);
  });

  test("is none for more beats than a loop may have", () => {
    const name = { fileName: "Undertow 128bpm Drums.wav" };
    expect(tempoOf(stems(1919, name))).toBe(128);
    expect(tempoOf(stems(2400, name))).toBeNull();
  });

  test("has the beats of the shortest file, whole within 10 ms", () => {
    const name = { fileName: "Undertow 60bpm Drums.wav", frames: 9_600_000 + 4096 };
    const beatsOf = (seconds: number) =>
      guessSounds(stems(seconds, name)).recordings[0]?.lengthBeats;
    expect(beatsOf(200)).toBe(200);
    expect(beatsOf(200.009)).toBe(200);
    expect(beatsOf(200.02)).toBe(200.02);
  });
});

test("[Y8] a file that differs by more than one buffer isn't of the recording", () => {
  const frames = 9_600_000;
  const membersOf = (more: number) =>
    guessSounds(stems(200, { frames: frames + more })).recordings[0]?.members;
  expect([membersOf(4096), membersOf(4097)]).toEqual([
    [0, 1, 2, 3],
    [1, 2, 3],
  ]);
  expect(guessSounds(stems(19.99)).recordings).toEqual([]);
  expect(guessSounds(stems(20)).recordings.length).toBe(1);
});

test("[Y8] songs of one length in one folder are a recording each, also by number", () => {
  const parts = ["Drums", "Bass", "Vox"];
  const titlesOf = (songs: readonly string[]) => {
    const names = songs.flatMap((song) => parts.map((part) => `${song} - ${part}.wav`));
    const length = { folderName: "EP", frames: 9_600_000, sampleRateHz: 48_000, hints: {} };
    const inputs = names.map((fileName): GuessInput => Object.assign({ fileName }, length));
    return guessSounds(inputs).recordings.map(({ title, members }) => [title, members.length]);
  };
  expect(titlesOf(["North Star", "North Wind"])).toEqual([
    ["North Star", 3],
    ["North Wind", 3],
  ]);
  expect(titlesOf(["Song 1", "Song 2"])).toEqual([
    ["Song 1", 3],
    ["Song 2", 3],
  ]);
});

test("[Y8] the reason names the recording and its tempo", () => {
  const [asRecorded] = guessSounds(stems(200)).sounds;
  expect(asRecorded?.because).toBe("One of 4 stems of Undertow: as recorded.");
  const [, inTime] = guessSounds(stems(200, { hints: { tempoBpm: 97 } })).sounds;
  expect(inTime?.because).toBe("One of 4 stems of Undertow: in time at 97 BPM.");
});

test("[Y8] a stem's role is that of its own name, not of a word in the song's title", () => {
  const roleOf = (name: string, folderName: string) => {
    const inputs = allStems(200, ({ fileName }) => ({
      fileName: fileName.replace("Undertow", "Neon Rain").replace("Keys", name),
      folderName,
    }));
    return guessSounds(inputs).sounds[2]?.role;
  };
  expect([roleOf("FX", "Piano Songs"), roleOf("Other", "Piano Songs")]).toEqual(["fx", null]);
  expect(roleOf("Keys", "Piano Songs")).toBe("melodic");
  expect(roleOf("OH L", "Song/Drums")).toBe("drums");
});

test("[Y9] the package is named after the recording of most of its sounds", () => {
  const inputs = stems(200);
  const { recordings } = guessSounds(inputs);
  const fileNames = inputs.map(({ fileName }) => fileName);
  const folderName = "Mixes";
  expect(guessTitle({ folderName, fileNames, recordings })).toBe("Undertow");
  const others = ["A.wav", "B.wav", "C.wav", "D.wav"];
  expect(guessTitle({ folderName, fileNames: [...fileNames, ...others], recordings })).toBe(
    "Mixes",
  );
});

/** Pieces of names of stems, and anything else. */
const PIECE = fc.oneof(
  fc.constantFrom("Drums", "Vox", "no", "Bass", "Kick", "Tr", "Master", "Neon", "Rain", "bip"),
  fc.constantFrom(" ", "_", "-", " - ", "(", ")", "01", "97", "97bpm", "Am", "/", "ドラム"),
  fc.string({ unit: CODE_POINT, maxLength: 4 }),
);
const NAME = fc.array(PIECE, { maxLength: 7 }).map((pieces) => pieces.join(""));

test("[Y8][Y9] any list has a valid guess for each sound, and recordings share nothing", () => {
  const input = fc.record({
    fileName: NAME,
    folderName: fc.option(NAME, { nil: undefined }),
    frames: fc.integer({ min: 900_000, max: 904_096 }),
    sampleRateHz: fc.constantFrom(44_100, 0),
    hints: fc.constant({}),
    packageBpm: fc.option(fc.integer({ min: 20, max: 999 }), { nil: undefined }),
  });
  fc.assert(
    fc.property(fc.array(input, { maxLength: 9 }), (inputs) => {
      const { sounds, recordings } = guessSounds(inputs);
      expect(sounds.length).toBe(inputs.length);
      const members = recordings.flatMap((recording) => recording.members);
      expect(new Set(members).size).toBe(members.length);
      for (const { title } of sounds)
        expect([title, title === ""]).toEqual([cleanName(title), false]);
      for (const recording of recordings) {
        expect(recording.members.length).toBeGreaterThan(1);
        expect(recording.title).toBe(cleanTitle(recording.title));
        expect(recording.title).not.toBe("");
      }
    }),
    runs(500),
  );
});

test("[Y8] a list that grows guesses only what is new", () => {
  const inputs = ["Kick.wav", "Snare.wav"].map((fileName): GuessInput => ({
    fileName,
    frames: 4800,
    sampleRateHz: 48_000,
    hints: {},
  }));
  const [first] = guessSounds(inputs.slice(0, 1)).sounds;
  expect(guessSounds(inputs).sounds[0]).toBe(first);
});
