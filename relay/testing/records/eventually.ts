import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";

/** Far beyond the promised second: a loaded machine is slow, and no case measures time. */
const PATIENCE_MS = 15_000;
const EVERY_MS = 20;

/** Asks again until `isTrue` answers true. Fails with `promise`, the words of what was to come true. */
export async function eventually(promise: string, isTrue: () => Promise<boolean>): Promise<void> {
  const endsAt = performance.now() + PATIENCE_MS;
  while (!(await isTrue())) {
    if (performance.now() > endsAt) assert.fail(`Not within ${PATIENCE_MS / 1000} s: ${promise}`);
    await sleep(EVERY_MS);
  }
}
