import { BATCH, inBatches, keysOf, pagesOf } from "./batches.ts";
import {
  type PackageFiles,
  type PackageRecord,
  type Ports,
  type QuarantinedSound,
  quarantines,
  type QuarantiningSoundStore,
  type SoundStore,
  type StoredSound,
  type StoreUpkeep,
} from "../ports.ts";
import type { Context } from "../context.ts";
import { requireOwnSounds } from "./doomed-sounds.ts";

// Compares the records with the stored bytes (rules Z2, Z9). It all works beside a running relay.

/** Files that a package's record names, and whose bytes are gone or cut off. */
export interface LostFiles {
  readonly packageId: string;
  /** File name → key. Never empty. */
  readonly files: ReadonlyMap<string, string>;
}

interface Compared {
  readonly upkeep: StoreUpkeep;
  readonly sounds: QuarantiningSoundStore;
}

/**
 * Finds sounds outside the quarantine that no record knows, finished or not. A key is on record before its first byte,
 * so a sound that is being uploaded is never among them.
 */
export async function* findUnknownSounds({
  upkeep,
  sounds,
}: Compared): AsyncGenerator<StoredSound> {
  for await (const batch of inBatches(sounds.list())) {
    const unknown = new Set(await upkeep.findUnknown(keysOf(batch)));
    // A sound that was listed may have been deleted and removed since.
    const found = await sounds.sizes([...unknown]);
    yield* batch.filter(({ key, isFinished }) => unknown.has(key) && found.has(key) === isFinished);
  }
}

/**
 * Finds sounds in the quarantine that a record knows, as after a database was exchanged and the right one is back. They
 * must be put back, so that `open` finds them.
 */
export async function* findMisplacedSounds({
  upkeep,
  sounds,
}: Compared): AsyncGenerator<QuarantinedSound> {
  for await (const batch of inBatches(sounds.listQuarantined())) {
    const unknown = new Set(await upkeep.findUnknown(keysOf(batch)));
    yield* batch.filter(({ key }) => !unknown.has(key));
  }
}

/** Finds packages with files whose bytes are gone or cut off, in the order of their ids. */
export async function* findLostFiles({
  upkeep,
  packages,
  sounds,
}: Pick<Ports, "packages" | "sounds"> & Pick<Compared, "upkeep">): AsyncGenerator<LostFiles> {
  const pages = pagesOf<PackageFiles>((last) =>
    upkeep.listWithFiles({ after: last?.packageId, limit: BATCH }),
  );
  for await (const page of pages) {
    const announced = new Map(
      page.flatMap((each) => [...each.announced].map(([key, { bytes }]) => [key, bytes] as const)),
    );
    const lost = new Set(await findLost(sounds, announced));
    for (const { packageId, uploaded } of page) {
      const missing = [...uploaded].filter(([, key]) => lost.has(key));
      if (missing.length === 0) continue;
      // A file may have been replaced or deleted since the page was read.
      const files = stillNamed(missing, await packages.find(packageId));
      if (files.size > 0) yield { packageId, files };
    }
  }
}

/**
 * Returns the keys whose sounds are missing, or have another size than the announced one.
 * @param announced key → bytes
 */
export async function findLost(
  sounds: SoundStore,
  announced: ReadonlyMap<string, number>,
): Promise<readonly string[]> {
  const keys = [...announced.keys()];
  const sizes = await sounds.sizes(keys);
  return keys.filter((key) => sizes.get(key) !== announced.get(key));
}

/**
 * Takes lost files out of their package, so that its status lists them as missing and they can be uploaded again. The
 * rest of their bytes goes to the quarantine. A file that was replaced in the meantime stays.
 * @param since relay time, for the quarantine
 */
export async function markLost(
  { packages, soundKeys, sounds }: Pick<Ports, "packages" | "soundKeys" | "sounds">,
  { packageId, files }: LostFiles,
  since: number,
): Promise<void> {
  for (;;) {
    const record = await packages.find(packageId);
    const lost = stillNamed([...files], record);
    if (record === undefined || lost.size === 0) return;
    if (quarantines(sounds)) await sounds.quarantine([...lost.values()], since);
    const uploaded = new Map([...record.uploaded].filter(([file]) => !lost.has(file)));
    if ((await packages.update({ ...record, uploaded })) !== "updated") continue;
    // The update doomed them. Should their bytes come back, they must not be deleted for that.
    await soundKeys.remove([...lost.values()]);
    return;
  }
}

/** Returns the files that a record still has with these keys. */
export function stillNamed(
  files: readonly (readonly [string, string])[],
  record: Pick<PackageRecord, "uploaded" | "filesDeleted"> | undefined,
): ReadonlyMap<string, string> {
  if (record === undefined || record.filesDeleted) return new Map();
  return new Map(files.filter(([file, key]) => record.uploaded.get(file) === key));
}

/**
 * Asks the store for files of a package, and takes lost ones out of the record, so that they can be uploaded again
 * (rule Z2). Returns the others. Puts quarantined ones back.
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
  await markLost(context, { packageId, files }, context.clock.confirmedNow());
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
  await sounds.quarantine(lost, null);
  return new Set(await findLost(sounds, announced));
}
