import type { Context } from "../context.ts";
import { pagesOf } from "./batches.ts";
import { isHeldAt } from "./deletion-hold.ts";
import {
  isBound,
  type Ports,
  quarantines,
  type QuarantiningSoundStore,
  type SoundKeys,
  StoreLostError,
  type StoreUpkeep,
} from "../ports.ts";

/** The parts of a relay, or of a program beside one, that deleting needs. */
export type Deletion = Pick<Context, "sounds" | "soundKeys" | "upkeep" | "clock" | "instanceId">;

/** Number of doomed keys in a batch: large enough that a flush serves many sounds, small enough that others get their turn. */
const BATCH = 500;
/** Number of pending keys in a batch. */
const PENDING_BATCH = 200;

/**
 * Deletes the bytes of keys that no package has, then removes the keys from the record (rule J2): doomed ones, and the
 * pending one of an upload that failed. Never fails a call whose change is durable already: keys that can't be deleted
 * now stay on record for the sweep.
 */
export async function deleteUnused(context: Deletion, keys: readonly string[]): Promise<void> {
  if (keys.length === 0) return;
  try {
    await deleteBatch(context, keys);
  } catch {
    // The sweep tries again and reports the reason if it fails as well.
  }
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
  for await (const keys of pages) failures.push(...(await sweepBatch(context, keys)));
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
  await context.sounds.delete(keys);
  await context.soundKeys.remove(keys);
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
 * backup, even an acknowledged sound may be pending. Stores without a quarantine can't keep it.
 * @param time a start passes the greatest number, because every earlier upload has ended with its process
 * @param now relay time: quarantined sounds are kept from then on, and partials that end later stay pending (rule U10)
 */
export async function endPending(
  { soundKeys, sounds, upkeep }: Pick<Ports, "soundKeys" | "sounds" | "upkeep">,
  time: number,
  now: number,
): Promise<void> {
  if (upkeep !== undefined && quarantines(sounds)) {
    await keepFinished({ soundKeys, sounds, upkeep }, time, now);
  }
  await soundKeys.doom({ endedBy: time, partialsEndedBy: now });
}

async function keepFinished(
  {
    soundKeys,
    sounds,
    upkeep,
  }: {
    readonly soundKeys: SoundKeys;
    readonly sounds: QuarantiningSoundStore;
    readonly upkeep: StoreUpkeep;
  },
  endedBy: number,
  now: number,
): Promise<void> {
  const ended = { state: "pending", endedBy, partialsEndedBy: now } as const;
  const pages = pagesOf<string>((after) =>
    soundKeys.list({ ...ended, after, limit: PENDING_BATCH }),
  );
  for await (const keys of pages) {
    const finished = [...(await sounds.sizes(keys)).keys()];
    if (finished.length === 0) continue;
    // In this order: a crash in between leaves sounds that no record knows, which quarantine.ts finds, and none to delete.
    await soundKeys.remove(finished);
    // An upload may have become part of its package in the meantime.
    await sounds.quarantine(await upkeep.findUnknown(finished), now);
  }
}
