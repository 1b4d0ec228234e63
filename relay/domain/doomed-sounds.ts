import type { Context } from "./context.ts";

const BATCH = 100;

/**
 * Deletes the bytes of keys that no package has any more, then strikes the keys off (rule J2). Never fails a
 * call whose change is durable already: keys that can't be deleted now stay on record for the sweep.
 */
export async function deleteDoomed(context: Context, keys: readonly string[]): Promise<void> {
  if (keys.length === 0) return;
  try {
    await deleteAndStrike(context, keys);
  } catch {
    // The sweep tries again and reports the reason if it fails as well.
  }
}

/**
 * Dooms pending keys whose time is over, then deletes and strikes off every doomed key. One that can't be
 * deleted stays doomed and never keeps another.
 * @throws the first failure, once every key was tried
 */
export async function sweepDoomed(context: Context): Promise<void> {
  await context.soundKeys.doomPending(context.clock.now());
  const failures: unknown[] = [];
  let after: string | undefined;
  for (;;) {
    const keys = await context.soundKeys.listDoomed({ after, limit: BATCH });
    if (keys.length === 0) break;
    failures.push(...(await sweepBatch(context, keys)));
    after = keys.at(-1);
  }
  if (failures.length > 0) throw failures[0];
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

/** A key is struck off only after its bytes are gone for good. */
async function deleteAndStrike(context: Context, keys: readonly string[]): Promise<void> {
  await context.sounds.delete(keys);
  await context.soundKeys.strike(keys);
}
