import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import * as fc from "fast-check";
import type { FuzzTarget } from "./fuzz-target.ts";

const RUNS_PER_ROUND = 100;
/** Memory that all inputs of a run together may keep. */
const MAX_GROWTH_BYTES = 48 * 1024 * 1024;
/** Eight times the input may take this many times as long. Quadratic time takes 64 times. */
const MAX_SLOWDOWN = 30;
const LONG_SIZE = 2_000;
/** So many, because a busy machine slows down most of them. */
const TURNS = 16;

export interface FuzzRun {
  readonly seed: number;
  readonly ms: number;
}

/**
 * Tries inputs for a while; then compares the time of a long one with that of one eight times as long.
 * @returns how many inputs were tried
 * @throws {Error} with the smallest input that it found to go wrong, and the seed
 */
export async function runFuzz(target: FuzzTarget, { seed, ms }: FuzzRun): Promise<number> {
  const endsAt = performance.now() + ms;
  let runs = 0;
  let before: number | undefined;
  do {
    await fc.assert(target.property, { seed: seed + runs, numRuns: RUNS_PER_ROUND });
    runs += RUNS_PER_ROUND;
    // The first round loads and compiles.
    before ??= usedBytes();
  } while (performance.now() < endsAt);
  const growth = usedBytes() - before;
  if (growth > MAX_GROWTH_BYTES) {
    throw new Error(
      `${target.name}: ${runs} inputs left ${growth} bytes in memory (seed ${seed}).`,
    );
  }
  if (target.makeLong !== undefined) await assertScales(target.name, target.makeLong);
  return runs;
}

/** @throws {Error} if the time grows much faster than the input */
async function assertScales(
  name: string,
  makeLong: (size: number) => () => unknown,
): Promise<void> {
  const short = Math.max(0.2, await fastest(makeLong(LONG_SIZE)));
  const long = await fastest(makeLong(LONG_SIZE * 8));
  if (long > short * MAX_SLOWDOWN) {
    const times = `${short.toFixed(1)} ms became ${long.toFixed(1)} ms`;
    throw new Error(`${name}: with eight times the input, ${times}.`);
  }
}

/** The shortest of some tries, in milliseconds: others use the processor too. */
async function fastest(read: () => unknown): Promise<number> {
  let best = Infinity;
  for (let turn = 0; turn < TURNS; turn += 1) {
    const startedAt = performance.now();
    await read();
    best = Math.min(best, performance.now() - startedAt);
  }
  return best;
}

setFlagsFromString("--expose-gc");
const collect: unknown = runInNewContext("gc");

function usedBytes(): number {
  if (typeof collect === "function") collect();
  return process.memoryUsage().heapUsed;
}
