import * as fc from "fast-check";
import { expect, test } from "vitest";
import { formatRepeat, RANDOM_SEED, randomSeeds, readSeed, runs } from "./random-seed.ts";

test("random tests draw from one seed: the same in every run that names no other", () => {
  expect(readSeed({})).toBe(readSeed({}));
  expect(readSeed({ RANDOM_SEED: "17" })).toBe(17);
  expect(fc.readConfigureGlobal().seed).toBe(RANDOM_SEED);
  expect(randomSeeds(2)).toEqual([RANDOM_SEED, RANDOM_SEED + 1]);
});

test("a property tries a quarter of its values with the fixed seed, and all with any other", () => {
  expect(runs(200, readSeed({}))).toEqual({ numRuns: 50 });
  expect(runs(30, readSeed({}))).toEqual({ numRuns: 8 });
  expect(runs(200, 17)).toEqual({ numRuns: 200 });
});

test("RANDOM_SEED=new draws a seed once, and the processes of the run inherit it", () => {
  const drawn = Array.from({ length: 5 }, () => {
    const env = { RANDOM_SEED: "new" };
    return [readSeed(env), readSeed(env)] as const;
  });
  for (const [first, again] of drawn) expect(again).toBe(first);
  expect(new Set(drawn.map(([first]) => first)).size).toBe(5);
});

test.each(["", "newer", "-1", "1.5", "1e3", "1234567890"])("RANDOM_SEED=%j is refused", (text) => {
  expect(() => readSeed({ RANDOM_SEED: text })).toThrow(
    'RANDOM_SEED must be "new" or a number of up to nine digits.',
  );
});

test("the command that repeats a run names its script, its files, and a seed that was drawn", () => {
  const files = ["test/a.test.ts", "test/b.test.ts"];
  expect(formatRepeat(files, { seed: readSeed({}) })).toBe(
    "npm run test -- test/a.test.ts test/b.test.ts",
  );
  expect(formatRepeat(["test/a.slow.test.ts"], { script: "test:slow", seed: 17 })).toBe(
    "RANDOM_SEED=17 npm run test:slow -- test/a.slow.test.ts",
  );
});
