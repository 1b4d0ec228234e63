import type { Context } from "../context.ts";
import { isDeletionHeld } from "../upkeep/doomed-sounds.ts";
import { type ExpiredPackage, freesRoom } from "../ports.ts";

/** A flush of the store serves so many. */
const BATCH = 1000;

/**
 * Dooms the files of packages that are due, a batch at a time, where the records can. While the next batch
 * expires, the sounds free the room of the last one, where they can. Both are faster than deleting for good,
 * which a later step of the sweep does.
 */
export async function expirePackages(context: Context): Promise<void> {
  const { packages, clock } = context;
  if (packages.expire === undefined) return;
  let freeing = Promise.resolve();
  try {
    for (;;) {
      const expired = await packages.expire(clock.provenNow(), BATCH);
      if (expired.length === 0) return;
      await freeing;
      const keys = expired.flatMap((each) => each.keys);
      freeing = freeRoom(context, keys);
      await notifyExpired(context, expired);
    }
  } finally {
    await freeing;
  }
}

/** Never fails: the keys are doomed, and the step that deletes them reports why it can't. */
async function freeRoom(context: Context, keys: readonly string[]): Promise<void> {
  try {
    const { sounds } = context;
    if (freesRoom(sounds) && !(await isDeletionHeld(context))) await sounds.free(keys);
  } catch {
    // That step tries again.
  }
}

async function notifyExpired(
  { notifier }: Context,
  expired: readonly ExpiredPackage[],
): Promise<void> {
  const changed = { type: "packages.changed" } as const;
  const devices = new Set(expired.map(({ deviceId }) => deviceId));
  for (const { packageId } of expired) await notifier.notify(`package:${packageId}`, changed);
  for (const deviceId of devices) await notifier.notify(`device:${deviceId}`, changed);
}
