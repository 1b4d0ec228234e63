import type { Context } from "../context.ts";
import { holdsOwnSounds } from "./lost-sounds.ts";
import { endPending } from "../uploads/pending-sounds.ts";

/** What deleting needs of a relay, or of a program beside one. */
export type Deletion = Pick<Context, "sounds" | "soundKeys" | "upkeep" | "clock" | "instanceId">;

/** Large enough that a flush serves many sounds, small enough that others get their turn. */
const BATCH = 500;

/**
 * Deletes the bytes of keys that no package has any more, then strikes the keys off (rule J2). Never fails a
 * call whose change is durable already: keys that can't be deleted now stay on record for the sweep.
 */
export async function deleteDoomed(context: Deletion, keys: readonly string[]): Promise<void> {
  if (keys.length === 0) return;
  try {
    await deleteAndStrike(context, keys);
  } catch {
    // The sweep tries again and reports the reason if it fails as well.
  }
}

/**
 * Dooms pending keys whose time is over, then deletes and strikes off every doomed key (rule Z3). One that can't
 * be deleted stays doomed for the next sweep and never keeps another.
 * @throws the first failure, once every key was tried; at once if no change succeeds
 */
export async function sweepDoomed(context: Context): Promise<void> {
  const failures: unknown[] = [];
  const now = context.clock.provenNow();
  try {
    await endPending(context, now, now);
  } catch (error) {
    failures.push(error);
    // Rejects where the database isn't the relay's any more: then nothing may be deleted by it (rule Z8).
    await context.soundKeys.strike([]);
  }
  let after: string | undefined;
  for (;;) {
    const keys = await context.soundKeys.listDoomed({ after, limit: BATCH });
    if (keys.length === 0) break;
    failures.push(...(await sweepBatch(context, keys)));
    after = keys.at(-1);
  }
  if (failures.length > 0) throw failures[0];
}

/** Whether nothing may be deleted now, because a backup is being made. Doomed keys wait for it (rule Z10). */
export async function isDeletionHeld({
  upkeep,
  clock,
}: Pick<Deletion, "upkeep" | "clock">): Promise<boolean> {
  return (await upkeep?.isDeletionHeld(clock.now())) ?? false;
}

/** Deletes a batch at once or, where that fails, key by key. Returns why keys could not be deleted. */
async function sweepBatch(context: Context, keys: readonly string[]): Promise<readonly unknown[]> {
  try {
    await deleteAndStrike(context, keys);
    return [];
  } catch (error) {
    if (keys.length === 1) return [error];
  }
  const failures: unknown[] = [];
  for (const key of keys) failures.push(...(await sweepBatch(context, [key])));
  return failures;
}

/** A key is struck off only after its bytes are gone for good. In a folder that isn't the relay's own they never were. */
async function deleteAndStrike(context: Deletion, keys: readonly string[]): Promise<void> {
  if ((await isDeletionHeld(context)) || !(await holdsOwnSounds(context))) return;
  await context.sounds.delete(keys);
  await context.soundKeys.strike(keys);
}
