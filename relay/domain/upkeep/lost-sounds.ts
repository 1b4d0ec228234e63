import type { Context } from "../context.ts";
import { isBound, type PackageRecord, quarantines, StoreLostError } from "../ports.ts";
import { findLost, markLost } from "./reconcile.ts";

/**
 * Asks the store for files of a package, and takes those that it lost out of the record, so that they can be
 * uploaded again (rule Z2). Returns the others. Puts back what is in the quarantine.
 * @param uploaded file name → key
 * @throws {StoreLostError} if the store is not the one that belongs to the records: then nothing is known of them
 */
export async function dropLost(
  context: Context,
  { packageId, manifest }: PackageRecord,
  uploaded: ReadonlyMap<string, string>,
): Promise<ReadonlyMap<string, string>> {
  const bytesOf = new Map(manifest.items.map(({ file, bytes }) => [file, bytes]));
  const announced = [...uploaded].map(([file, key]) => [key, bytesOf.get(file) ?? 0] as const);
  const lost = await findLostForGood(context, new Map(announced));
  if (lost.size === 0) return uploaded;
  const files = new Map([...uploaded].filter(([, key]) => lost.has(key)));
  await markLost(context, { packageId, files }, context.clock.provenNow());
  return new Map([...uploaded].filter(([file]) => !files.has(file)));
}

/** @param announced key → bytes */
async function findLostForGood(
  context: Context,
  announced: ReadonlyMap<string, number>,
): Promise<ReadonlySet<string>> {
  const { sounds } = context;
  const lost = await findLost(sounds, announced);
  if (lost.length === 0) return new Set();
  await requireOwnSounds(context);
  if (!quarantines(sounds)) return new Set(lost);
  await sounds.putBack(lost);
  return new Set(await findLost(sounds, announced));
}

/** @throws {StoreLostError} if the sound store isn't the one that belongs to the records any more (rule Z1) */
export async function requireOwnSounds(context: Context): Promise<void> {
  if (await holdsOwnSounds(context)) return;
  throw new StoreLostError(
    "The folder of sounds was emptied, replaced or unmounted, so no sound is received or deleted. Put it back. " +
      "If it is lost, stop the relay and run `soundferry relay adopt`.",
  );
}

/** Whether the sound store is still the one that belongs to the records (rule Z1), as far as that can be known. */
export async function holdsOwnSounds({
  sounds,
  instanceId,
}: Pick<Context, "sounds" | "instanceId">): Promise<boolean> {
  if (instanceId === undefined || !isBound(sounds)) return true;
  return (await sounds.readInstance()) === instanceId;
}
