import type { Context } from "../context.ts";
import { pagesOf } from "./batches.ts";
import { isHeldAt } from "./deletion-hold.ts";
import {
  isBound,
  isQuarantinedOf,
  packageOfKey,
  type Ports,
  quarantines,
  StoreLostError,
} from "../ports.ts";

/** The parts of a relay, or of a program beside one, that deleting needs. */
export type Deletion = Pick<Context, "sounds" | "soundKeys" | "upkeep" | "clock" | "instanceId">;

/** Number of doomed keys in a batch: large enough that a flush serves many sounds, small enough that others get their turn. */
const BATCH = 1000;
/** Number of batches at once: while one is made durable and struck off, the next one is deleted. */
export const BATCHES_AT_ONCE = 2;
/** Number of pending keys in a batch. */
const PENDING_BATCH = 200;

/** Time for which a call waits for a deletion. A service that is away may take a minute to fail. */
const WAIT_MS = 1_000;

/**
 * Deletes the bytes of keys that no package has, then removes the keys from the record (rule J2): doomed ones, and the
 * pending one of an upload that failed. Never fails or delays a call whose change is durable already: keys that can't be
 * deleted now stay on record for the sweep (rule Z14).
 */
export async function deleteUnused(
  context: Deletion,
  keys: readonly string[],
  waitMs = WAIT_MS,
): Promise<void> {
  if (keys.length === 0) return;
  const waited = Promise.withResolvers<void>();
  const timer = setTimeout(waited.resolve, waitMs);
  void deleteDoomed(context, keys).then(waited.resolve);
  await waited.promise;
  clearTimeout(timer);
}

/** Deletes the bytes of keys, and removes them from the record. Never fails: the sweep tries again and reports the reason. */
export async function deleteDoomed(context: Deletion, keys: readonly string[]): Promise<void> {
  await deleteBatch(context, keys).catch(() => undefined);
}

/**
 * Dooms pending keys whose time is over, then deletes and removes every doomed key (rule Z3). A key that can't
 * be deleted stays doomed for the next sweep and never delays another.
 * @throws the first failure, after every key was tried; at once if no change succeeds
 */
export async function sweepDoomed(context: Context): Promise<void> {
  const failures: unknown[] = [];
  const now = context.clock.confirmedNow();
  try {
    await endPending(context, now, now);
  } catch (error) {
    failures.push(error);
    // Rejects if the database isn't the relay's any more: then its list must delete nothing (rule Z8).
    await context.soundKeys.remove([]);
  }
  const pages = pagesOf<string>((after) =>
    context.soundKeys.list({ state: "doomed", after, limit: BATCH }),
  );
  const running: Promise<readonly unknown[]>[] = [];
  for await (const keys of pages) {
    running.push(sweepBatch(context, keys));
    if (running.length === BATCHES_AT_ONCE) failures.push(...((await running.shift()) ?? []));
  }
  failures.push(...(await Promise.all(running)).flat());
  if (failures.length > 0) throw failures[0];
}

/** Deletes a batch at once or, if that fails, key by key. Returns why keys could not be deleted. */
async function sweepBatch(context: Context, keys: readonly string[]): Promise<readonly unknown[]> {
  try {
    await deleteBatch(context, keys);
    return [];
  } catch (error) {
    if (keys.length === 1) return [error];
  }
  const failures: unknown[] = [];
  for (const key of keys) failures.push(...(await sweepBatch(context, [key])));
  return failures;
}

/** A key leaves the record only after its bytes are gone for good. A folder that isn't the relay's own never had them. */
async function deleteBatch(context: Deletion, keys: readonly string[]): Promise<void> {
  if ((await isDeletionHeld(context)) || !(await holdsOwnSounds(context))) return;
  const sounds = keys.filter((key) => !isQuarantinedOf(key));
  const packageIds = keys.filter(isQuarantinedOf).map(packageOfKey);
  await context.sounds.delete([...sounds, ...(await findQuarantined(context, packageIds))]);
  await context.soundKeys.remove(keys);
}

/** Finds what the quarantine has of packages, except sounds that a record knows. */
async function findQuarantined(
  { sounds, upkeep }: Deletion,
  packageIds: readonly string[],
): Promise<readonly string[]> {
  if (upkeep === undefined || !quarantines(sounds)) return [];
  const found: string[] = [];
  for (const packageId of new Set(packageIds)) {
    for await (const { key } of sounds.listQuarantined(packageId)) found.push(key);
  }
  return found.length === 0 ? [] : upkeep.findUnknown(found);
}

/** Checks whether nothing may be deleted now, because a backup is being made. Doomed keys wait for it (rule Z10). */
export async function isDeletionHeld({
  upkeep,
  clock,
}: Pick<Deletion, "upkeep" | "clock">): Promise<boolean> {
  return upkeep !== undefined && isHeldAt((await upkeep.read()).holds, clock.now());
}

/** Checks whether the sound store still belongs to the records (rule Z1), as far as that can be known. */
export async function holdsOwnSounds({
  sounds,
  instanceId,
}: Pick<Context, "sounds" | "instanceId">): Promise<boolean> {
  if (instanceId === undefined || !isBound(sounds)) return true;
  return (await sounds.readInstance()) === instanceId;
}

/** @throws {StoreLostError} if the sound store no longer belongs to the records (rule Z1) */
export async function requireOwnSounds(context: Context): Promise<void> {
  if (await holdsOwnSounds(context)) return;
  throw new StoreLostError(
    "The folder of sounds was emptied, replaced or unmounted, so no sound is received or deleted. Put it back. " +
      "If it is lost, stop the relay and run `soundferry relay adopt`.",
  );
}

/**
 * Dooms the keys that were pending until `time` or earlier: their uploads are over (rule J2). A finished sound among
 * them isn't deleted for that, but quarantined (rule Z4): where the database is an older copy, such as a restored
 * backup, even an acknowledged sound may be pending. Stores without a quarantine can't keep it. If its package is gone
 * or its files are deleted, somebody ordered that, and the sound is deleted (rule Z15).
 * @param time a start passes the greatest number, because every earlier upload has ended with its process
 * @param now relay time: quarantined sounds are kept from then on, and partials that end later stay pending (rule U10)
 */
export async function endPending(
  stores: Pick<Ports, "packages" | "soundKeys" | "sounds" | "upkeep">,
  time: number,
  now: number,
): Promise<void> {
  const { soundKeys } = stores;
  const ended = { endedBy: time, partialsEndedBy: now };
  const pages = pagesOf<string>((after) =>
    soundKeys.list({ state: "pending", ...ended, after, limit: PENDING_BATCH }),
  );
  for await (const keys of pages) await keepFinished(stores, keys, now);
  await soundKeys.doom(ended);
}

/**
 * Quarantines the finished sounds among ended keys, and then removes their keys. In this order, a crash in between
 * leaves each sound on record. A sound that is in the quarantine already stays there.
 */
async function keepFinished(
  {
    packages,
    soundKeys,
    sounds,
    upkeep,
  }: Pick<Ports, "packages" | "soundKeys" | "sounds" | "upkeep">,
  keys: readonly string[],
  now: number,
): Promise<void> {
  if (upkeep === undefined || !quarantines(sounds)) return;
  const kept: string[] = [];
  for (const [packageId, ofPackage] of Map.groupBy(keys, packageOfKey)) {
    const record = await packages.find(packageId);
    if (record === undefined || record.filesDeleted) continue;
    kept.push(...(await sounds.sizes(ofPackage)).keys());
    for await (const { key } of sounds.listQuarantined(packageId)) {
      if (ofPackage.includes(key)) kept.push(key);
    }
  }
  if (kept.length === 0) return;
  await sounds.quarantine(kept, now);
  await soundKeys.remove(kept);
  // An upload may have become part of its package in the meantime.
  const unknown = new Set(await upkeep.findUnknown(kept));
  const known = kept.filter((key) => !unknown.has(key));
  if (known.length > 0) await sounds.quarantine(known, null);
}
