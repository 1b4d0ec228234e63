import type { AnnouncedSound } from "../../core/manifest/manifest.ts";
import { filesEndAt, isTaken, statusAt } from "../../core/protocol/package-state.ts";
import type { ImportablePackage } from "../../core/protocol/importer-api.ts";
import { refusal } from "../../core/protocol/refusal.ts";
import { secondsUntil, timeText } from "../../core/time.ts";
import { findPackage } from "./update-package.ts";
import type { Context } from "./context.ts";
import type { PackageRecord } from "./ports.ts";
import { renewPackageLease } from "./take-package.ts";

/** The packages a device's importer can import now, newest first (rule I1). */
export async function listImportable(
  context: Context,
  deviceId: string,
): Promise<readonly ImportablePackage[]> {
  const now = context.clock.now();
  const records = await context.packages.listImportable(deviceId, now);
  return records.map((record) => importable(record, now));
}

function importable(record: PackageRecord, now: number): ImportablePackage {
  const { packageId, life, manifest, results } = record;
  const path = (file: string) =>
    `/importer/packages/${packageId}/files/${encodeURIComponent(file)}`;
  const ends = filesEndAt(life);
  return {
    package_id: packageId,
    status: statusAt(life, now),
    app_name: record.appName,
    manifest,
    files: Object.fromEntries(manifest.items.map(({ file }) => [file, path(file)])),
    taken: isTaken(life, now),
    created_at: timeText(record.createdAt),
    committed_at: timeText(life.committedAt ?? record.createdAt),
    expires_at: timeText(ends),
    expires_in: secondsUntil(ends, now),
    ...(results !== null && { results }),
  };
}

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
}

/** Finds a file for the importer (rule I2). @throws {Refusal} 404, or 409 when it can't be fetched */
export async function findDownload(
  context: Context,
  deviceId: string,
  packageId: string,
  file: string,
): Promise<Download> {
  const { sound } = await findServed(context, deviceId, packageId, file);
  return {
    sizeBytes: sound.bytes,
    sha256: sound.sha256,
    read: async (range) => {
      // The file may have been doomed since it was found, and its bytes may be there still (rule J2).
      const { key } = await findServed(context, deviceId, packageId, file);
      const bytes = await context.sounds.open(key, range);
      if (bytes === undefined) throw refusal("PACKAGE_EXPIRED");
      return withLeaseRenewal(bytes, () => renewPackageLease(context, packageId));
    },
  };
}

async function findServed(
  context: Context,
  deviceId: string,
  packageId: string,
  file: string,
): Promise<{ readonly sound: AnnouncedSound; readonly key: string }> {
  const record = await findPackage(context, deviceId, packageId);
  const sound = record.manifest.items.find((item) => item.file === file);
  const key = record.uploaded.get(file);
  if (sound === undefined) throw refusal("FILE_UNKNOWN", { file });
  if (record.life.committedAt === null) throw refusal("PACKAGE_NOT_COMMITTED");
  const isOver = record.filesDeleted || context.clock.now() >= filesEndAt(record.life);
  if (key === undefined || isOver) throw refusal("PACKAGE_EXPIRED");
  return { sound, key };
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
