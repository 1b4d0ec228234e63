import type { Sound } from "../../../core/manifest/manifest.ts";
import {
  amplitude,
  type ExamplePackage,
  type ExampleSound,
  type Examples,
  one,
  sine,
} from "./example.ts";

/** A loop of so many beats at a tempo; the file is as long as it is played at `fileBpm`. */
function lasting(
  beats: number,
  fileBpm: number,
  entry: Partial<Sound>,
  tempo?: ExamplePackage["tempo"],
): ExamplePackage {
  const package_ = one(sine(200, (beats * 60) / fileBpm, 0.3), entry);
  return tempo ? { ...package_, tempo } : package_;
}

const MS = (milliseconds: number): number => (milliseconds / 1000) * 2;

export const LENGTHS: Examples = {
  code: "LENGTH",
  right: {
    "whole beats": lasting(4, 120, { bpm: 120 }),
    "whole beats at the package's tempo": lasting(8, 97.3, {}, { bpm: 97.3 }),
    "five beats": lasting(5, 140, { bpm: 140 }),
    "9 ms more": lasting(4 + MS(9), 120, { bpm: 120 }),
    "9 ms less": lasting(4 - MS(9), 120, { bpm: 120 }),
    "a stated length and a tail": lasting(5.3, 120, { bpm: 120, length_beats: 4 }),
    "a stated length of three and a half": lasting(3.5, 120, { bpm: 120, length_beats: 3.5 }),
    "a stated length of a sixteenth": lasting(0.25, 120, { bpm: 120, length_beats: 0.25 }),
    "a stated length that gives the tempo": lasting(4, 111.11, { length_beats: 4 }),
    "7/8 at a time signature of eighths": lasting(
      3.5,
      120,
      {},
      { bpm: 120, time_signature: [7, 8] },
    ),
    "no tempo and no length": lasting(4.4, 120, {}),
    "a one-shot of any length": lasting(4.4, 120, { kind: "oneshot" }, { bpm: 120 }),
    "9 ms less than it states": lasting(4 - MS(9), 120, { bpm: 120, length_beats: 4 }),
  },
  wrong: {
    "half a beat more": lasting(4.5, 120, { bpm: 120 }),
    "half a beat less, at the package's tempo": lasting(7.5, 126, {}, { bpm: 126 }),
    "11 ms more": lasting(4 + MS(11), 120, { bpm: 120 }),
    "11 ms less": lasting(4 - MS(11), 120, { bpm: 120 }),
    "another tempo than its own": lasting(16, 124, { bpm: 128 }),
    "a tail without a stated length": lasting(5.3, 120, { bpm: 120 }),
    "half a second of silence at the end": lasting(3, 120, { bpm: 120, length_beats: 4 }),
    "11 ms less than it states": lasting(4 - MS(11), 120, { bpm: 120, length_beats: 4 }),
    "a stated length of 7.93": lasting(7.93, 120, { bpm: 120, length_beats: 7.93 }),
    "a stated length that gives the tempo, measured": lasting(4.07, 120, { length_beats: 4.07 }),
    "7/8 at a time signature of quarters": lasting(
      3.5,
      120,
      {},
      { bpm: 120, time_signature: [4, 4] },
    ),
    "an eighth of a beat at a fast tempo": lasting(4.125, 990, { bpm: 990 }),
    "less than a beat": lasting(0.4, 60, { bpm: 60 }),
  },
};

const named = (name: string, bpm: number, entry: Partial<Sound> = {}): ExamplePackage =>
  lasting(8, bpm, { name, bpm, ...entry });
const filed = (file: string, bpm: number): ExamplePackage => named("Groove", bpm, { file });

export const NAMED_TEMPOS: Examples = {
  code: "TEMPO_IN_NAME",
  right: {
    "the same": named("Groove 126 BPM", 126),
    "the same in the file's name": filed("groove_126bpm.wav", 126),
    rounded: named("Break 97 BPM", 97.3),
    "cut off": named("Break 123 BPM", 123.9),
    "with decimals": named("Break 97.3 BPM", 97.3),
    half: named("Roller 87 BPM", 174),
    double: named("Roller 174 BPM", 87),
    "a number that counts": named("Kick Loop 96", 128),
    "a model": named("TR-808 Loop", 120),
    "a key and a year": named("Am 1999 Groove", 110),
    "no number": named("Groove", 126),
    "one of two": named("Groove 126 BPM (was 124 BPM)", 126),
    "a one-shot": lasting(8, 120, { kind: "oneshot", name: "Hit 126 BPM" }, { bpm: 120 }),
    "a range": named("Kit 100-110 BPM", 104),
    "no tempo": lasting(4.4, 120, { name: "Groove 126 BPM" }),
  },
  wrong: {
    another: named("Groove 126 BPM", 128),
    "another in the file's name": filed("groove_126bpm.wav", 128),
    "another at the package's": lasting(8, 120, { name: "Groove 140bpm" }, { bpm: 120 }),
    "one more": named("Groove 121 BPM", 120),
    "other decimals": named("Break 97.3 BPM", 97.5),
    "two thirds": named("Roller 116 BPM", 174),
    "before the number": named("BPM 90 Groove", 92),
    "a bare number that the file fits": lasting(8, 126, { name: "Groove 126", bpm: 128 }),
    "a bare number in the file's name": lasting(8, 97, { file: "dusty_97_break.wav", bpm: 95 }),
    "the tempo that the length gives": lasting(16, 126, {
      name: "Groove 126 BPM",
      length_beats: 15,
    }),
    "neither half nor double": named("Groove 70 BPM", 138),
  },
};

/** A tone of a loudness, both channels or one. */
function tone(lufs: number, entry: Partial<Sound> = {}, channels = 2, seconds = 1): ExampleSound {
  // A 997 Hz sine in both channels is as many LUFS as dBFS; in one, both speakers play it.
  const samples = sine(997, seconds, amplitude(lufs));
  return {
    entry,
    channels: Array.from({ length: channels }, () => samples),
    format: { depth: "24" },
  };
}

const tones = (...levels: readonly number[]): readonly ExampleSound[] =>
  levels.map((lufs) => tone(lufs));
const HIT = { kind: "oneshot" } as const;
const hits = (...levels: readonly number[]): readonly ExampleSound[] =>
  levels.map((lufs) => tone(lufs, HIT));

export const LOUDNESSES: Examples = {
  code: "LOUDNESS",
  right: {
    alike: { sounds: tones(-14, -15, -13, -14) },
    "8.5 LU quieter": { sounds: tones(-14, -14, -14, -22.5) },
    "8.5 LU louder": { sounds: tones(-20, -20, -20, -11.5) },
    "only three": { sounds: tones(-14, -14, -30) },
    "two halves, each near the middle": { sounds: tones(-10, -10, -26, -26) },
    "one kind quieter than the other": {
      sounds: [...tones(-12, -12, -12, -12), ...hits(-30, -30, -30, -30)],
    },
    "a gain that mends it": { sounds: [...tones(-14, -14, -14), tone(-26, { gain_db: 12 })] },
    "one channel is played by both speakers": {
      sounds: [...tones(-20, -20, -20), tone(-12, {}, 1)],
    },
    "too short to measure": { sounds: [...hits(-14, -14, -14, -14), tone(-40, HIT, 2, 0.39)] },
    "a quiet texture": { sounds: [...tones(-14, -14, -14, -14), tone(-34, { role: "texture" })] },
    "a quiet effect": { sounds: [...tones(-14, -14, -14, -14), tone(-34, { role: "fx" })] },
    silence: { sounds: [...tones(-14, -14, -14, -14), tone(-Infinity)] },
  },
  wrong: {
    "9.5 LU quieter": { sounds: tones(-14, -14, -14, -23.5) },
    "9.5 LU louder": { sounds: tones(-20, -20, -20, -10.5) },
    "far quieter": { sounds: tones(-10, -12, -14, -12, -40) },
    "far louder": { sounds: tones(-30, -29, -31, -30, -6) },
    "a gain that spoils it": { sounds: [...tones(-14, -14, -14), tone(-14, { gain_db: -12 })] },
    "a gain that is too high": { sounds: [...tones(-24, -24, -24), tone(-24, { gain_db: 10 })] },
    "a one-shot among loops": {
      sounds: [...tones(-30, -30, -30, -30), ...hits(-14, -14, -14, -30)],
    },
    "one channel, which both speakers play": {
      sounds: [...tones(-20, -20, -20), tone(-10, {}, 1)],
    },
    "a loud texture": { sounds: [...tones(-20, -20, -20, -20), tone(-8, { role: "texture" })] },
    "a quiet vocal": { sounds: [...tones(-14, -14, -14, -14), tone(-34, { role: "vocal" })] },
  },
};
