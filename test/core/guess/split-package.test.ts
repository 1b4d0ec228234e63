import * as fc from "fast-check";
import { expect, test } from "vitest";
import {
  needsChoice,
  planPackages,
  type SizedSound,
  sizeOf,
  titleOfPart,
} from "../../../core/guess/split-package.ts";
import { MAX_PACKAGE_BYTES, MAX_SOUNDS, MAX_TITLE_LENGTH } from "../../../core/limits.ts";
import { cleanTitle } from "../../../core/text/clean-text.ts";

const MB = 1_000_000;

/** Sounds of these sizes, each of so many bits. */
const sized = (bits: 16 | 24 | 32, ...megabytes: readonly number[]): SizedSound[] =>
  megabytes.map((each) => ({ bytes: each * MB, bytesAs16: (each * MB * 16) / bits }));
const times = (count: number, megabytes: number) => Array.from({ length: count }, () => megabytes);
/** Counts the sounds of each package. */
const counts = (packages: readonly (readonly number[])[]) => packages.map(({ length }) => length);

test.each([
  ["fits as it is", sized(24, 30, 40), [[2]]],
  ["exactly full", [{ bytes: MAX_PACKAGE_BYTES, bytesAs16: MAX_PACKAGE_BYTES }], [[1]]],
  ["7 stems of 24 bits", sized(24, ...times(7, 31.75)), [[7], [6, 1]]],
  ["7 stems of 16 bits", sized(16, ...times(7, 31.75)), [[6, 1]]],
  ["one sound too many", sized(24, ...times(33, 1)), [[32, 1]]],
  ["40 small sounds", sized(24, ...times(40, 0.1)), [[32, 8]]],
  [
    "12 stems: 16 bit needs fewer packages",
    sized(24, ...times(12, 47.6)),
    [
      [6, 6],
      [4, 4, 4],
    ],
  ],
  [
    "floats",
    sized(32, ...times(8, 60)),
    [
      [6, 2],
      [3, 3, 2],
    ],
  ],
  ["5 packages, or 3 as 16 bit", sized(32, ...times(9, 104.9)), [[3, 3, 3]]],
  ["too many for 4 packages", sized(16, ...times(129, 0.1)), []],
  ["too large for 4 packages", sized(16, ...times(5, 150)), []],
])("[G20] plans packages: %s", (_, sounds, wanted) => {
  const { choices } = planPackages(sounds);
  expect(choices.map(({ packages }) => counts(packages))).toEqual(wanted);
});

test("[G20] asks only if one package doesn't hold the sounds as they are", () => {
  expect(needsChoice(planPackages(sized(24, 100, 100)))).toBe(false);
  expect(needsChoice(planPackages(sized(24, 100, 110)))).toBe(true);
  expect(needsChoice(planPackages([]))).toBe(false);
});

test("[G20] a recording is not torn if that needs no further package", () => {
  const stems = { members: [30, 31, 32, 33, 34, 35, 36] };
  const sounds = sized(16, ...times(37, 1));
  expect(counts(planPackages(sounds, [stems]).asTheyAre.packages)).toEqual([30, 7]);
  expect(counts(planPackages(sounds).asTheyAre.packages)).toEqual([32, 5]);
  // Whole, these two would need a third package.
  const pair = [{ members: [0, 1, 2] }, { members: [3, 4, 5] }, { members: [6, 7, 8] }];
  const large = sized(16, 40, 40, 40, 40, 40, 40, 40, 40, 40);
  expect(counts(planPackages(large, pair).asTheyAre.packages)).toEqual([5, 4]);
  // A recording of its own package's size is split like any other.
  const song = { members: large.map((_, position) => position) };
  expect(counts(planPackages(large, [song]).asTheyAre.packages)).toEqual([5, 4]);
});

test("[G20] every package holds what it may, order stays, and none is missing", () => {
  const sound = fc.record({ bytes: fc.integer({ min: 44, max: MAX_PACKAGE_BYTES }) });
  const list = fc.array(sound, { minLength: 1, maxLength: 140 });
  const isMember = fc.array(fc.boolean(), { minLength: 140, maxLength: 140 });
  fc.assert(
    fc.property(list, isMember, (all, members) => {
      const sounds = all.map(({ bytes }) => ({ bytes, bytesAs16: Math.ceil(bytes / 2) }));
      const recording = { members: [...all.keys()].filter((at) => members[at]) };
      const { asTheyAre, as16 } = planPackages(sounds, [recording]);
      expect(asTheyAre.packages.length).toBe(planPackages(sounds).asTheyAre.packages.length);
      for (const { packages } of [asTheyAre, as16]) {
        expect(packages.flat()).toEqual([...all.keys()]);
        expect(Math.max(...counts(packages))).toBeLessThanOrEqual(MAX_SOUNDS);
      }
      for (const one of asTheyAre.packages) {
        const bytes = one.reduce((total, at) => total + (all[at]?.bytes ?? 0), 0);
        expect(bytes).toBeLessThanOrEqual(MAX_PACKAGE_BYTES);
      }
    }),
    { numRuns: 60 },
  );
});

test("[G20] only sounds of more than 16 bits shrink", () => {
  const header = {
    encoding: "pcm",
    channels: 2,
    sampleRateHz: 44_100,
    dataOffset: 44,
    frames: 1000,
  } as const;
  const pcm = (bitsPerSample: 8 | 16 | 24 | 32) => ({
    ...header,
    bitsPerSample,
    dataBytes: (2000 * bitsPerSample) / 8,
  });
  expect(sizeOf(pcm(16), 4044)).toEqual({ bytes: 4044, bytesAs16: 4044 });
  expect(sizeOf(pcm(8), 2044)).toEqual({ bytes: 2044, bytesAs16: 2044 });
  expect(sizeOf(pcm(24), 6044)).toEqual({ bytes: 6044, bytesAs16: 4045 });
  const float = { ...pcm(32), encoding: "float" } as const;
  expect(sizeOf(float, 8058)).toEqual({ bytes: 8058, bytesAs16: 4059 });
});

test.each([
  ["Neon Rain", 1, 3, "Neon Rain (1 of 3)"],
  ["Neon Rain", 1, 1, "Neon Rain"],
  ["x".repeat(60), 2, 2, `${"x".repeat(51)} (2 of 2)`],
  [`${"x".repeat(50)} y`, 2, 2, `${"x".repeat(50)} (2 of 2)`],
  ["🎹".repeat(60), 4, 4, `${"🎹".repeat(51)} (4 of 4)`],
  [`${"x".repeat(50)}e\u0301e\u0301`, 1, 2, `${"x".repeat(50)}é (1 of 2)`],
  [`${"x".repeat(49)}👩‍🎤`, 1, 2, `${"x".repeat(49)} (1 of 2)`],
])("[G20] the title %s as part %i of %i is %s", (base, number, count, title) => {
  expect(titleOfPart(base, number, count)).toBe(title);
  expect(Array.from(title).length).toBeLessThanOrEqual(MAX_TITLE_LENGTH);
  // The relay has nothing to repair.
  expect(cleanTitle(title)).toBe(title);
});
