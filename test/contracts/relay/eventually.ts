import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import type { WaitOptions } from "./contract.ts";

/** Far beyond the promised second: a loaded machine is slow, and no case measures time. */
export const PATIENCE_MS = 15_000;
const EVERY_MS = 20;

/** Asks again until `isTrue` answers true. Fails after the suite's patience, with the words of `promise`. */
export type Eventually = (
  promise: string,
  isTrue: () => boolean | Promise<boolean>,
) => Promise<void>;

/** `eventually` with a suite's patience; `PATIENCE_MS` unless set. */
export function eventuallyWithin({ patienceMs }: WaitOptions): Eventually {
  return (promise, isTrue) => eventually(promise, isTrue, patienceMs);
}

/** Asks again until `isTrue` answers true. Fails with `promise`, the words of what was to come true. */
export async function eventually(
  promise: string,
  isTrue: () => boolean | Promise<boolean>,
  patienceMs = PATIENCE_MS,
): Promise<void> {
  const endsAt = performance.now() + patienceMs;
  while (!(await isTrue())) {
    if (performance.now() > endsAt) assert.fail(`Not within ${patienceMs / 1000} s: ${promise}`);
    await sleep(EVERY_MS);
  }
}
