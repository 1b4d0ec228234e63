import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { planTempoAndLength } from "../../../core/layout/tempo-and-length.ts";
import {
  compare,
  distance,
  divide,
  multiply,
  nearestWhole,
  ratio,
  rationalOf,
  toNumber,
} from "../../../core/layout/rational.ts";

/** A file of so many seconds, a whole number of frames at 48 kHz. */
function fileOf(seconds: number) {
  return { frames: Math.round(seconds * 48_000), sampleRateHz: 48_000 };
}

describe("the tempo", () => {
  test("[T2] is the loop's, before the package's", () => {
    expect(planTempoAndLength({ bpm: 90 }, 120, fileOf(8)).tempoBpm).toBe(90);
  });

  test("[T2] is the package's if the loop has none", () => {
    expect(planTempoAndLength({}, 120, fileOf(8)).tempoBpm).toBe(120);
  });

  test("[T2] is used unchanged, even if the length disagrees", () => {
    expect(planTempoAndLength({ length_beats: 16, bpm: 123.456789 }, 120, fileOf(8))).toMatchObject(
      {
        tempoBpm: 123.456789,
        loopEndBeats: 16,
      },
    );
  });

  test("[T2] is derived from length and file if none was sent", () => {
    expect(planTempoAndLength({ length_beats: 16 }, undefined, fileOf(8))).toEqual({
      tempoBpm: 120,
      loopEndBeats: 16,
      notes: [],
    });
  });

  test("[T2] is left to the host with a note if it can't be derived", () => {
    expect(planTempoAndLength({}, undefined, fileOf(8))).toEqual({
      tempoBpm: null,
      loopEndBeats: null,
      notes: ["Neither tempo nor length was sent, so both are guessed. Check how the loop sits."],
    });
  });
});

describe("a note on the length", () => {
  const notesOf = (seconds: number, extraFrames: number) => {
    const { frames, sampleRateHz } = fileOf(seconds);
    const file = { frames: frames + extraFrames, sampleRateHz };
    return planTempoAndLength({ bpm: 60, length_beats: seconds }, 120, file).notes.length;
  };

  test("[T2] needs more than one buffer of a file of 20 s or more", () => {
    expect([notesOf(20, 4096), notesOf(20, -4096), notesOf(20, 4097)]).toEqual([0, 1, 1]);
    expect([notesOf(180, -4096), notesOf(180, 4096), notesOf(180, -4097)]).toEqual([0, 0, 1]);
    expect([notesOf(19, 480), notesOf(19, 481)]).toEqual([0, 1]);
  });
});

describe("a derived tempo", () => {
  test.each([20, 999])("[T3] of exactly %d BPM is used", (tempoBpm) => {
    // 4 beats last 240 / tempo seconds; at a sample rate of the tempo that is 240 frames.
    const file = { frames: 240, sampleRateHz: tempoBpm };
    expect(planTempoAndLength({ length_beats: 4 }, undefined, file)).toEqual({
      tempoBpm,
      loopEndBeats: 4,
      notes: [],
    });
  });

  test.each([
    ["too slow", 12.001, "12.001 s"],
    ["too fast", 0.24, "0.24 s"],
  ])("[T3] that is %s is guessed, with a note; the length stays", (_, seconds, words) => {
    expect(planTempoAndLength({ length_beats: 4 }, undefined, fileOf(seconds))).toEqual({
      tempoBpm: null,
      loopEndBeats: 4,
      notes: [
        `4 beats in a file of ${words} would be a tempo outside 20–999 BPM, so the tempo is guessed.`,
      ],
    });
  });

  test("[T3] from the smallest valid length does no harm", () => {
    const plan = planTempoAndLength({ length_beats: 5e-324 }, undefined, fileOf(1));
    expect(plan).toMatchObject({ tempoBpm: null, loopEndBeats: 5e-324 });
  });
});

describe("the length", () => {
  test("[T2] is the sent one, unrounded", () => {
    expect(planTempoAndLength({ length_beats: 3.95 }, 120, fileOf(1.975)).loopEndBeats).toBe(3.95);
  });

  test.each([
    [8, 16],
    [8.04, 16],
    [7.96, 16],
    [8.06, 16.12],
    [7.94, 15.88],
    [8.25, 16.5],
  ])("[T2] of a file of %d s at 120 BPM is %d beats", (seconds, beats) => {
    expect(planTempoAndLength({}, 120, fileOf(seconds)).loopEndBeats).toBe(beats);
  });

  test("[T2] is rounded to a beat at exactly 0.1 beat from it, but not one frame further", () => {
    // A sample rate of 10 × tempo frames a second makes 600 frames a beat.
    const tempi = fc.integer({ min: 20, max: 999 });
    const beats = fc.integer({ min: 1, max: 4096 });
    fc.assert(
      fc.property(tempi, beats, fc.constantFrom(-1, 1), (tempoBpm, beat, side) => {
        const lengthOf = (frames: number) =>
          planTempoAndLength({ bpm: tempoBpm }, undefined, { frames, sampleRateHz: 10 * tempoBpm })
            .loopEndBeats;
        expect(lengthOf(600 * beat + 60 * side)).toBe(beat);
        expect(lengthOf(600 * beat + 61 * side)).toBe((600 * beat + 61 * side) / 600);
      }),
    );
  });

  test("[T2] uses the tempo's exact decimals, not its binary approximation", () => {
    // frames = (beat ± 0.1) × 60 ÷ tempo × rate; with a rate of 100 × tempo that is 6000 a beat.
    const hundredths = fc.integer({ min: 2_000, max: 99_900 });
    const beats = fc.integer({ min: 1, max: 64 });
    fc.assert(
      fc.property(hundredths, beats, fc.constantFrom(-600, 600), (hundredth, beat, offset) => {
        const file = { frames: 6_000 * beat + offset, sampleRateHz: hundredth };
        expect(planTempoAndLength({}, hundredth / 100, file).loopEndBeats).toBe(beat);
      }),
    );
  });

  test.each([0.1, 0.05, 0.001])("[T2] of %d beats is never rounded to 0", (beats) => {
    const plan = planTempoAndLength({}, 60, fileOf(beats));
    expect(plan).toEqual({ tempoBpm: 60, loopEndBeats: beats, notes: [] });
  });

  test("[T2] is always above 0 and within 0.1 beat of the file's length", () => {
    const frames = fc.integer({ min: 1, max: 104_857_600 });
    const rates = fc.integer({ min: 1, max: 192_000 });
    const tempi = fc.double({ min: 20, max: 999, noNaN: true });
    fc.assert(
      fc.property(frames, rates, tempi, (frames, sampleRateHz, tempoBpm) => {
        const beats = planTempoAndLength({}, tempoBpm, { frames, sampleRateHz }).loopEndBeats ?? 0;
        const exact = (frames / sampleRateHz) * (tempoBpm / 60);
        expect(beats).toBeGreaterThan(0);
        expect(Math.abs(beats - exact)).toBeLessThanOrEqual(0.1 + exact * 1e-12);
      }),
    );
  });
});

describe("loop and file", () => {
  test("[T2] that differ by exactly 10 ms get no note", () => {
    expect(planTempoAndLength({ length_beats: 16 }, 120, fileOf(8.01)).notes).toEqual([]);
    expect(planTempoAndLength({ length_beats: 16 }, 120, fileOf(7.99)).notes).toEqual([]);
  });

  test("[T2] that differ by one frame more get a note: the part outside the loop", () => {
    const file = { frames: 8 * 48_000 + 481, sampleRateHz: 48_000 };
    expect(planTempoAndLength({ length_beats: 16 }, 120, file).notes).toEqual([
      "A loop of 16 beats at 120 BPM lasts 8 s, but the file lasts 8.01 s: its last 0.01 s are outside the loop.",
    ]);
  });

  test("[T2] that differ get a note: the silent part", () => {
    expect(planTempoAndLength({ length_beats: 1, bpm: 93.75 }, 120, fileOf(0.5)).notes).toEqual([
      "A loop of 1 beat at 93.75 BPM lasts 0.64 s, but the file lasts 0.5 s: the last 0.14 s of the loop are silent.",
    ]);
  });

  test("[T2] are compared after rounding to a whole beat", () => {
    expect(planTempoAndLength({}, 60, fileOf(4.05)).notes).toHaveLength(1);
    expect(planTempoAndLength({}, 60, fileOf(4.005)).notes).toEqual([]);
  });
});

describe("a number as a fraction", () => {
  test.each([
    [0, 0n, 1n],
    [7, 7n, 1n],
    [0.1, 1n, 10n],
    [120.25, 12_025n, 100n],
    [1e21, 10n ** 21n, 1n],
    [1.5e-7, 15n, 10n ** 8n],
    [5e-324, 5n, 10n ** 324n],
  ])("[T2] %d is the decimal that prints it", (n, numerator, denominator) => {
    expect(compare(rationalOf(n), { numerator, denominator })).toBe(0);
  });

  test.each([-1, Number.NaN, Number.POSITIVE_INFINITY])("%d is refused", (n) => {
    expect(() => rationalOf(n)).toThrow(
      new RangeError(`${n} is not a finite number of 0 or above.`),
    );
  });

  test("[T2] every number survives the round trip", () => {
    const numbers = fc.double({ min: 1e-280, noNaN: true, noDefaultInfinity: true });
    fc.assert(
      fc.property(numbers, (n) => {
        expect(toNumber(rationalOf(n))).toBe(n);
      }),
    );
  });
});

test("a fraction becomes the nearest number", () => {
  const counts = fc.integer({ min: 1 });
  fc.assert(
    fc.property(counts, counts, (a, b) => {
      expect(toNumber(ratio(a, b))).toBe(a / b);
    }),
  );
  // Halfway between 2^53 and the next number goes to the even one; a hair above it goes up.
  expect(toNumber({ numerator: 2n ** 53n + 1n, denominator: 1n })).toBe(2 ** 53);
  expect(toNumber({ numerator: (2n ** 53n + 1n) * 10n ** 40n + 1n, denominator: 10n ** 40n })).toBe(
    2 ** 53 + 2,
  );
  expect(toNumber(rationalOf(0))).toBe(0);
});

test("[T2] avoids floating-point errors", () => {
  expect(compare(distance(rationalOf(4), rationalOf(3.9)), rationalOf(0.1))).toBe(0);
  expect(compare(distance(rationalOf(3.9), rationalOf(4)), rationalOf(0.1))).toBe(0);
  expect(compare(multiply(rationalOf(0.1), rationalOf(3)), rationalOf(0.3))).toBe(0);
  expect(compare(divide(rationalOf(0.3), rationalOf(3)), rationalOf(0.1))).toBe(0);
});

test("fractions are ordered", () => {
  expect(compare(ratio(1, 3), rationalOf(0.3333333))).toBe(1);
  expect(compare(rationalOf(0.3333333), ratio(1, 3))).toBe(-1);
});

test.each([
  [0.49, 0],
  [0.5, 1],
  [3.9, 4],
  [4.1, 4],
])("%d rounds to %d", (n, whole) => {
  expect(toNumber(nearestWhole(rationalOf(n)))).toBe(whole);
});

test("division by 0 throws", () => {
  expect(() => ratio(1, 0)).toThrow(new RangeError("Nothing can be divided by 0."));
});
