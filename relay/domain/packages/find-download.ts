import type { AnnouncedSound } from "../../../core/manifest/manifest.ts";
import { fileUnknown, nameSound, type Refusal, refusal } from "../../../core/protocol/refusal.ts";
import { refuseUnlisted } from "../../../core/protocol/package-state.ts";
import { findPackage, refuseDeleted } from "./update-package.ts";
import type { Context } from "../context.ts";
import { dropLost } from "../upkeep/reconcile.ts";
import type { ByteRange, PackageRecord } from "../ports.ts";
import { leaseRenewal } from "./import-package.ts";

/** One file of a committed package. */
export interface Download {
  readonly sizeBytes: number;
  /** Lowercase hex. */
  readonly sha256: string;
  /**
   * Reads the bytes from `start` to `end`, inclusive. Each MiB sent renews the lease of the run that holds
   * the package (rule S2).
   * @throws {Refusal} 409 or 404 when the file has since been deleted
   */
  readonly read: (range: { start: number; end: number }) => Promise<AsyncIterable<Uint8Array>>;
  /**
   * Returns an address at which the bytes can be read without the relay, for `ADDRESS_SECONDS` (rule SC15); undefined
   * if the store offers none or has lost the bytes. Renews the lease.
   */
  readonly address: () => Promise<string | undefined>;
}

/**
 * Lifetime of an address. It is short because the address ends neither with the pairing nor with the lease. A download
 * that has begun may continue after it.
 */
const ADDRESS_SECONDS = 60;

/** Finds a file for the importer (rule I2). @throws {Refusal} 404, 422 SOUND_DENIED, or 409 when it can't be fetched */
export async function findDownload(
  context: Context,
  deviceId: string,
  packageId: string,
  file: string,
): Promise<Download> {
  const { record, sound, key } = await findServed(context, deviceId, packageId, file);
  const renew = leaseRenewal(context, record);
  return {
    sizeBytes: sound.bytes,
    sha256: sound.sha256,
    read: async (range) => {
      const find = () => findServed(context, deviceId, packageId, file);
      const bytes = await openServed(context, file, find, range);
      return withLeaseRenewal(bytes, renew);
    },
    address: async () => {
      const { sounds } = context;
      const address = await sounds.addressOf?.(key, ADDRESS_SECONDS);
      if (address === undefined || !(await sounds.sizes([key])).has(key)) return undefined;
      await renew();
      return address;
    },
  };
}

/** The most tries to open a file that others move or replace meanwhile. */
const MOST_TRIES = 5;

/** Opens a file's bytes. @throws {Refusal} 404 SOUND_LOST if they are gone; then the record says so too (rule Z2) */
async function openServed(
  context: Context,
  file: string,
  find: () => Promise<Served>,
  range: ByteRange,
): Promise<AsyncIterable<Uint8Array>> {
  for (let tries = 1; ; tries += 1) {
    // The file may have been doomed since it was found, while its bytes are still there (rule J2).
    const { record, key } = await find();
    const bytes = await context.sounds.open(key, range);
    if (bytes !== undefined) return bytes;
    // The bytes may have been deleted in between: then the file isn't found again.
    if ((await find()).key !== key) continue;
    const kept = await dropLost(context, record, new Map([[file, key]]));
    if (kept.size === 0 || tries === MOST_TRIES) throw soundLost(record, file, key);
  }
}

/** @param key set if the bytes are gone, and not only the record's entry */
function soundLost({ manifest }: PackageRecord, file: string, key?: string): Refusal {
  const cause =
    key === undefined
      ? undefined
      : new Error(
          `The sound file ${key} is gone from the data folder, or damaged. Find out what happened to it, and run ` +
            "`soundferry relay check` to see whether others are lost.",
        );
  return nameSound(refusal("SOUND_LOST", { file }, cause && { cause }), manifest.items, file);
}

interface Served {
  readonly record: PackageRecord;
  readonly sound: AnnouncedSound;
  readonly key: string;
}

async function findServed(
  context: Context,
  deviceId: string,
  packageId: string,
  file: string,
): Promise<Served> {
  const record = await findPackage(context, deviceId, packageId);
  const sound = record.manifest.items.find((item) => item.file === file);
  const key = record.uploaded.get(file);
  if (sound === undefined) throw fileUnknown(file);
  const refused =
    refuseUnlisted(record.life, context.clock.confirmedNow()) ?? refuseDeleted(record);
  if (refused !== undefined) throw refused;
  await context.operator.admitSound(record.manifest, file);
  // Every file was there at the commit.
  if (key === undefined) throw soundLost(record, file);
  return { record, sound, key };
}

const RENEW_EVERY_BYTES = 1024 ** 2;

async function* withLeaseRenewal(
  bytes: AsyncIterable<Uint8Array>,
  renew: () => Promise<void>,
): AsyncIterable<Uint8Array> {
  let sentBytes = 0;
  for await (const piece of bytes) {
    const { byteLength } = piece;
    yield piece;
    sentBytes += byteLength;
    if (sentBytes >= RENEW_EVERY_BYTES) {
      sentBytes = 0;
      await renew();
    }
  }
}
