import { isMassQuarantine } from "../../../core/quotas/judge-quarantine.ts";
import { inBatches, keysOf } from "./batches.ts";
import { type Context, DAY_MS, HOUR_MS } from "../context.ts";
import { holdsOwnSounds, isDeletionHeld } from "./doomed-sounds.ts";
import {
  quarantines,
  type QuarantiningSoundStore,
  type StoredSound,
  type StoreUpkeep,
} from "../ports.ts";

/** A store with a quarantine, and a database that can tell which keys it doesn't know. */
interface Looked {
  readonly sounds: QuarantiningSoundStore;
  readonly upkeep: StoreUpkeep;
}

/**
 * Looks for sounds that no record knows (rule Z4). Quarantines finished ones that are older than the upload window, and
 * deletes them after their time in the quarantine. Deletes unfinished ones that nobody has written to for an hour. Puts
 * sounds back that a record knows again. Does nothing while a backup is made, and without stores that have these
 * abilities.
 */
export async function lookForUnknown(context: Context): Promise<void> {
  const { sounds, upkeep } = context;
  if (!quarantines(sounds) || upkeep === undefined) return;
  if ((await isDeletionHeld(context)) || !(await holdsOwnSounds(context))) return;
  const looked = { sounds, upkeep };
  await reviewQuarantine(context, looked);
  await reviewSounds(context, looked);
  await noteLeftovers(context, looked);
  await sounds.tidy();
}

async function reviewQuarantine(context: Context, { sounds, upkeep }: Looked): Promise<void> {
  const endedAt = context.clock.confirmedNow() - context.policy.quarantineMs;
  for await (const batch of inBatches(sounds.listQuarantined())) {
    const unknown = new Set(await upkeep.findUnknown(keysOf(batch)));
    const known = keysOf(batch.filter(({ key }) => !unknown.has(key)));
    await sounds.quarantine(known, null);
    await deleteUnheld(
      context,
      keysOf(batch.filter(({ key, since }) => unknown.has(key) && since <= endedAt)),
    );
  }
}

/** Reviews all sounds before it moves any: if far too many were to be quarantined, none is. */
async function reviewSounds(context: Context, { sounds, upkeep }: Looked): Promise<void> {
  const now = context.clock.confirmedNow();
  const leftBefore = now - context.policy.uploadWindowMs;
  const putAside: string[] = [];
  const parts: string[] = [];
  let finished = 0;
  for await (const batch of inBatches(sounds.list())) {
    // A key is on record before its first byte. So one that no record has after it was listed is nobody's.
    const unknown = new Set(await upkeep.findUnknown(keysOf(batch)));
    const left = (one: StoredSound, before: number) =>
      unknown.has(one.key) && one.changedAt <= before;
    finished += batch.filter(({ isFinished }) => isFinished).length;
    parts.push(...keysOf(batch.filter((one) => !one.isFinished && left(one, now - HOUR_MS))));
    putAside.push(...keysOf(batch.filter((one) => one.isFinished && left(one, leftBefore))));
  }
  const recent = await countSince(sounds, now - DAY_MS);
  const isTooMuch =
    putAside.length > 0 && isMassQuarantine(putAside.length + recent, finished + recent);
  context.health.note("deletion", isTooMuch ? tooMuch(putAside.length, finished) : undefined);
  if (isTooMuch) return;
  await deleteUnheld(context, parts);
  await sounds.quarantine(putAside, now);
}

async function deleteUnheld(context: Context, keys: readonly string[]): Promise<void> {
  if (keys.length === 0 || (await isDeletionHeld(context))) return;
  await context.sounds.delete(keys);
}

async function noteLeftovers({ health, policy }: Context, { sounds }: Looked): Promise<void> {
  const count = await countSince(sounds, -Infinity);
  health.note("leftovers", count === 0 ? undefined : leftovers(count, policy.quarantineMs));
}

async function countSince(sounds: QuarantiningSoundStore, time: number): Promise<number> {
  let count = 0;
  for await (const { since } of sounds.listQuarantined()) if (since > time) count += 1;
  return count;
}

function tooMuch(unknown: number, all: number): string {
  return (
    `The database doesn't know ${unknown} of ${all} sound files. It may be the wrong one, so nothing was moved. ` +
    "Run `soundferry relay check`, and with --repair if they are to be quarantined."
  );
}

function leftovers(count: number, quarantineMs: number): string {
  const days = Math.round((quarantineMs / DAY_MS) * 10) / 10;
  const [files, are] = count === 1 ? ["1 sound file", "is"] : [`${count} sound files`, "are"];
  return (
    `${files} that no package has ${are} in the quarantine, and deleted after ${days} days there. ` +
    "`soundferry relay check` lists them."
  );
}
