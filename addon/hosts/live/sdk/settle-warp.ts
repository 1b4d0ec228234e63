import { setTimeout } from "node:timers/promises";
import type { LiveSound } from "./live-sound.ts";
import { readFlag } from "./live-values.ts";
import type { LiveRun } from "./run-in-transaction.ts";

const WAIT_MS = 20;
const MOST_WAITS = 15;

/**
 * Waits until Live has switched warp as it was told, which it does after the setter has returned; gives up after a
 * third of a second. What Live never does, the read-back tells.
 */
export async function settleWarp({ signal }: LiveRun, sounds: readonly LiveSound[]): Promise<void> {
  for (let waits = 0; waits < MOST_WAITS && !sounds.every(isSettled); waits += 1) {
    await setTimeout(WAIT_MS);
    signal.throwIfAborted();
  }
}

/** A clip that can't be read is not waited for. */
function isSettled(sound: LiveSound): boolean {
  const warping = readFlag(() => sound.clip.warping);
  return warping === undefined || warping === sound.plan.warping;
}
