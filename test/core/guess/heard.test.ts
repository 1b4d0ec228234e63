import { describe, expect, test } from "vitest";
import type { Heard } from "../../../core/audio/listening/heard.ts";
import { isOpenGuess } from "../../../core/guess/apply-heard.ts";
import { guessSound } from "../../../core/guess/guess-sound.ts";
import { guessSounds } from "../../../core/guess/guess-sounds.ts";
import type { GuessInput } from "../../../core/guess/sound-guess.ts";
import { readTable } from "./guess-tables.ts";

const LOOP: Heard = { kind: "loop", bpm: 97.3, lengthBeats: 16, confidence: 0.65 };
const ONE_SHOT: Heard = { kind: "oneshot", bpm: null, lengthBeats: null, confidence: 0.7 };
const UNSURE_LOOP: Heard = { kind: "loop", bpm: null, lengthBeats: null, confidence: 0.6 };

/** 16 beats at 97.3 BPM, a length that fits no whole tempo. */
function inputOf(fileName: string, heard?: Heard, rest: Partial<GuessInput> = {}): GuessInput {
  return { fileName, frames: 435_108, sampleRateHz: 44_100, hints: {}, heard, ...rest };
}

describe("[Y11] what was heard", () => {
  test("answers whether it is a loop, and at what tempo, where nothing else does", () => {
    expect(isOpenGuess(guessSound(inputOf("Thing.wav")))).toBe(true);
    expect(guessSound(inputOf("Thing.wav", LOOP))).toMatchObject({
      kind: "loop",
      bpm: 97.3,
      lengthBeats: 16,
      likely: null,
      because: "Heard: the end joins the beginning, with hits at 97.3 BPM.",
    });
    expect(guessSound(inputOf("Thing.wav", ONE_SHOT))).toMatchObject({
      kind: "oneshot",
      bpm: null,
      likely: null,
      because: "Heard: it plays once and doesn’t repeat.",
    });
    expect(guessSound(inputOf("Thing.wav", UNSURE_LOOP))).toMatchObject({
      kind: "loop",
      bpm: null,
      because: "Heard: the end joins the beginning. Its tempo is unknown.",
    });
  });

  test("gives a tempo to what a name calls a loop, and keeps the name's reason", () => {
    const guess = guessSound(inputOf("Thing Loop.wav", LOOP));
    expect(guess).toMatchObject({ kind: "loop", bpm: 97.3 });
    expect(guess.because).toContain("Loop");
    expect(guess.because).toContain("hits at 97.3 BPM");
    expect(guess.because).not.toContain("unknown");
  });

  test("never changes what name, length or chunks say", () => {
    const named = [
      inputOf("Thing Loop 120 BPM.wav"),
      inputOf("Kick Hard.wav"),
      inputOf("Riser.wav"),
      inputOf("Drum Loop.wav", undefined, { frames: 352_800 }),
      inputOf("Thing.wav", undefined, {
        hints: { acid: { isOneShot: true, beats: 0, tempoBpm: 120 } },
      }),
    ];
    for (const input of named.filter((one) => !isOpenGuess(guessSound(one)))) {
      for (const heard of [LOOP, ONE_SHOT, UNSURE_LOOP]) {
        expect(guessSound({ ...input, heard })).toEqual(guessSound(input));
      }
    }
    expect(guessSound(inputOf("Thing Loop.wav", ONE_SHOT)).kind).toBe("loop");
    expect(guessSound(inputOf("Thing Loop.wav", UNSURE_LOOP))).toEqual(
      guessSound(inputOf("Thing Loop.wav")),
    );
  });

  test("settles half and double of a loop's tempo that only its length says, and no other", () => {
    const frames = Math.round((16 * 60 * 44_100) / 174);
    const at = (lengthBeats: number) =>
      guessSound(inputOf("Thing Loop.wav", { ...LOOP, lengthBeats }, { frames }));
    const byLength = guessSound(inputOf("Thing Loop.wav", undefined, { frames }));
    expect([isOpenGuess(byLength), byLength.bpm]).toEqual([true, 87]);
    expect(at(16)).toMatchObject({ bpm: 174, lengthBeats: 16 });
    expect(at(8)).toMatchObject({ bpm: 87, lengthBeats: 8 });
    expect(at(12)).toEqual(byLength);
  });

  test("is less sure than a name", () => {
    const heard = guessSound(inputOf("Thing.wav", LOOP)).confidence;
    const named = guessSound(inputOf("Thing Loop 97.3 BPM.wav")).confidence;
    expect(heard.bpm).toBeLessThan(named.bpm);
    expect(heard.kind).toBeLessThan(named.kind);
  });

  test("gives way to a style in the name for half and double, and says none outside of it", () => {
    const at = (fileName: string, lengthBeats: number, bpm: number) =>
      guessSound(inputOf(fileName, { ...LOOP, lengthBeats, bpm })).bpm;
    expect(at("DnB Loop Thing.wav", 14, 85.138)).toBeCloseTo(170.276, 2);
    expect(at("DnB Loop Thing.wav", 20, 121.625)).toBe(null);
  });

  test("does not split a recording", () => {
    const names = ["Neon Rain (Drums).wav", "Neon Rain (Bass).wav", "Neon Rain (Lead Vocals).wav"];
    const stems = names.map((name) => inputOf(name, LOOP, { frames: 44_100 * 180 }));
    const { sounds, recordings } = guessSounds(stems);
    expect(recordings).toHaveLength(1);
    expect(sounds.map(({ kind }) => kind)).toEqual(["oneshot", "oneshot", "oneshot"]);
  });
});

test("[Y11] without audio, no guess of the tables changes; nothing heard changes none", () => {
  const nothing: Heard = { kind: null, bpm: null, lengthBeats: null, confidence: 0 };
  for (const name of TABLES) {
    for (const { input } of readTable(name)) {
      expect(guessSound({ ...input, heard: nothing })).toEqual(guessSound(input));
      if (isOpenGuess(guessSound(input))) continue;
      expect(guessSound({ ...input, heard: LOOP })).toEqual(guessSound(input));
    }
  }
});

const TABLES = ["table", "second-table", "third-table", "fourth-table", "fifth-table"].map(
  (name) => `${name}.tsv`,
);
