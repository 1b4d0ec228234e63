import type { DatabaseSync } from "node:sqlite";
import type { InsertOutcome, PackageRecords, Quotas } from "../../domain/ports.ts";
import { idempotentOf } from "./package-reads.ts";
import { type NewPackageColumns, number, type Row } from "./rows.ts";

const HOUR_MS = 3_600_000;
/** Announcements count for a day, the longest of the windows. */
export const ANNOUNCEMENT_COUNTS_MS = 86_400_000;

/** What an insert is checked against. */
export type InsertOptions = Parameters<PackageRecords["insert"]>[1];

/**
 * Checks an insert against the stored packages, in the port's order and inside the inserting transaction.
 * undefined if it may proceed.
 */
export function insertChecker(database: DatabaseSync) {
  const device = database.prepare("SELECT 1 FROM devices WHERE device_id = ?");
  const liveKey = database.prepare(
    `SELECT key, body_hash, answer, ends_at FROM idempotency_keys
     WHERE device_id = ? AND app_id = ? AND key = ? AND ends_at > ?`,
  );
  const announcedThisHour = database.prepare(
    `SELECT at FROM announcements
     WHERE device_id = ? AND app_id = ? AND at > ? AND at < ? ORDER BY at`,
  );
  const announcedToday = database.prepare(
    "SELECT at, bytes FROM announcements WHERE address = ? AND at > ? AND at < ? ORDER BY at",
  );
  const waiting = database.prepare(
    `SELECT count(*) AS waiting FROM packages
     WHERE device_id = ? AND files_end_at > ? AND committed_at IS NOT NULL AND outcome IS NULL`,
  );
  const keptBytes = database.prepare(
    `SELECT coalesce(sum(announced_bytes), 0) AS bytes FROM packages
     WHERE device_id = ? AND files_end_at > ?`,
  );
  const missingBytes = database.prepare(
    `SELECT coalesce(sum(missing_bytes), 0) AS bytes FROM packages
     WHERE committed_at IS NULL AND files_end_at > ?`,
  );

  return (
    { device_id: deviceId, app_id: appId, announced_bytes: bytes }: NewPackageColumns,
    { now, quotas, address, idempotency }: InsertOptions,
  ): InsertOutcome | undefined => {
    if (device.get(deviceId) === undefined) return { kind: "device-gone" };
    const earlier = idempotency && liveKey.get(deviceId, appId, idempotency.key, now);
    if (earlier !== undefined) return { kind: "replay", earlier: idempotentOf(earlier) };

    // Events a whole window in the future do not count either: the clock was set back.
    const hour = announcedThisHour.all(deviceId, appId, now - HOUR_MS, now + HOUR_MS);
    if (hour.length >= quotas.packagesPerHour) {
      const oldest = hour[hour.length - quotas.packagesPerHour];
      return { kind: "hourly-limit", freeAt: number(oldest?.["at"] ?? now) + HOUR_MS };
    }
    const [dayBegins, dayEnds] = [now - ANNOUNCEMENT_COUNTS_MS, now + ANNOUNCEMENT_COUNTS_MS];
    const day = announcedToday.all(address, dayBegins, dayEnds);
    const freeAt = addressFreeAt(day, bytes, quotas, now);
    if (freeAt !== undefined) return { kind: "address-limit", freeAt };

    if (number(waiting.get(deviceId, now)?.["waiting"]) >= quotas.waitingPerDevice) {
      return { kind: "many-wait" };
    }
    if (number(keptBytes.get(deviceId, now)?.["bytes"]) + bytes > quotas.bytesPerDevice) {
      return { kind: "device-full" };
    }
    if (number(missingBytes.get(now)?.["bytes"]) + bytes > quotas.roomBytes) {
      return { kind: "no-room" };
    }
    return undefined;
  };
}

/** When the address's window has room for `bytes` more; undefined if it has room now. */
function addressFreeAt(
  day: readonly Row[],
  bytes: number,
  { bytesPerAddressPerDay }: Quotas,
  now: number,
): number | undefined {
  let over = day.reduce((sum, row) => sum + number(row["bytes"]), bytes) - bytesPerAddressPerDay;
  if (over <= 0) return undefined;
  for (const row of day) {
    over -= number(row["bytes"]);
    if (over <= 0) return number(row["at"]) + ANNOUNCEMENT_COUNTS_MS;
  }
  // More than a whole day's bytes alone never fits; a day is the longest wait reported.
  return now + ANNOUNCEMENT_COUNTS_MS;
}
