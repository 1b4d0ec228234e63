import type { Context } from "../context.ts";
import type { SpareRoom } from "../ports.ts";
import { deleteUnused, isDeletionHeld } from "../upkeep/doomed-sounds.ts";
import { notifyExpired } from "./update-package.ts";

/** Each try drops what the last one lacked. A disk frees less while somebody reads what was dropped. */
const MAX_TRIES = 8;

/**
 * Acts, and as long as the outcome lacks room that spare packages can make, drops these and acts again (rule L12).
 * @param act returns the store's judgment
 */
export async function makingRoom<Outcome extends object>(
  context: Context,
  deviceId: string,
  act: () => Promise<Outcome & { readonly frees?: SpareRoom }>,
): Promise<Outcome> {
  for (let tried = 1; ; tried += 1) {
    const outcome = await act();
    const { frees } = outcome;
    if (frees === undefined || tried === MAX_TRIES) return outcome;
    if (!(await dropSpares(context, deviceId, frees))) return outcome;
  }
}

/** Deletes the oldest spare packages' files. Returns false if that made no room. */
async function dropSpares(
  context: Context,
  deviceId: string,
  { of, bytes }: SpareRoom,
): Promise<boolean> {
  const { packages, sounds, clock, health } = context;
  const isOfDisk = of === "relay";
  // What waits for a backup frees no disk, and a full database admits nothing anyway.
  if (isOfDisk && (health.isFull || (await isDeletionHeld(context)))) return false;
  const asked = { ...(!isOfDisk && { deviceId }), bytes, now: clock.confirmedNow() };
  const dropped = await packages.dropSpares(asked);
  const keys = dropped.flatMap((each) => each.keys);
  await notifyExpired(context, dropped);
  await deleteUnused(context, keys);
  return dropped.length > 0 && (!isOfDisk || (await sounds.sizes(keys)).size === 0);
}
