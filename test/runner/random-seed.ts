import { randomInt } from "node:crypto";
import * as fc from "fast-check";

/** The seed of every run that asks for no other, so that a run repeats the one before, and mutation scores compare. */
const FIXED_SEED = 20_260_131;

/**
 * The seed of all random tests in this run: a fixed one, the number in `RANDOM_SEED`, or with `RANDOM_SEED=new` one that
 * is drawn once. Processes that this one starts inherit it.
 */
export const RANDOM_SEED = readSeed(process.env);

// Vitest loads this file before each file of tests: fast-check then draws from the seed, too.
fc.configureGlobal({ seed: RANDOM_SEED });

/**
 * Returns the number of values that a property tries: all where a seed was drawn or named, as nightly, else a quarter.
 */
export function runs(full: number, seed = RANDOM_SEED): { readonly numRuns: number } {
  return { numRuns: seed === FIXED_SEED ? Math.ceil(full / 4) : full };
}

/** So many seeds in a row, for tests that try several. */
export function randomSeeds(count: number): readonly number[] {
  return Array.from({ length: count }, (_, index) => RANDOM_SEED + index);
}

/** The command that runs files again with the same random numbers. `script` is the npm script that ran. */
export function formatRepeat(
  files: readonly string[],
  {
    script = "test",
    seed = RANDOM_SEED,
  }: { readonly script?: string | undefined; readonly seed?: number } = {},
): string {
  const drawn = seed === FIXED_SEED ? "" : `RANDOM_SEED=${seed} `;
  return `${drawn}npm run ${script} -- ${files.join(" ")}`;
}

/** Replaces `new` by what was drawn. @throws {Error} if the variable is something else */
export function readSeed(env: NodeJS.ProcessEnv): number {
  if (env["RANDOM_SEED"] === "new") env["RANDOM_SEED"] = String(randomInt(1_000_000_000));
  const text = env["RANDOM_SEED"] ?? String(FIXED_SEED);
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new Error('RANDOM_SEED must be "new" or a number of up to nine digits.');
}
