import type { DatabaseSync } from "node:sqlite";
import type {
  IdempotentAnswer,
  InsertOutcome,
  PackageRecord,
  PackageRecords,
  Quotas,
} from "../../domain/ports.ts";
import { idempotentOf } from "./package-reads.ts";
import { columnsOf, number } from "./rows.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;

/** The terms of an insert. */
export type InsertTerms = Parameters<PackageRecords["insert"]>[1];

/** The changes of packages. Each runs inside a transaction of the one who calls it. */
export function packageWrites(database: DatabaseSync) {
  const insertRow = database.prepare(
    `INSERT INTO packages (package_id, device_id, app_id, app_name, created_at, manifest,
       announced_bytes, upload_ends_at, version, committed_at, wait_ends_at, outcome, lease_run,
       lease_ends_at, files_end_at, files_deleted, missing_bytes, uploaded, results)
     VALUES (:package_id, :device_id, :app_id, :app_name, :created_at, :manifest,
       :announced_bytes, :upload_ends_at, :version, :committed_at, :wait_ends_at, :outcome,
       :lease_run, :lease_ends_at, :files_end_at, :files_deleted, :missing_bytes, :uploaded, :results)`,
  );
  const updateRow = database.prepare(
    `UPDATE packages SET committed_at = :committed_at, wait_ends_at = :wait_ends_at,
       outcome = :outcome, lease_run = :lease_run, lease_ends_at = :lease_ends_at,
       files_end_at = :files_end_at, files_deleted = :files_deleted,
       missing_bytes = :missing_bytes, uploaded = :uploaded, results = :results,
       version = version + 1
     WHERE package_id = :package_id AND version = :version`,
  );
  const removeRow = database.prepare("DELETE FROM packages WHERE package_id = ? AND version = ?");
  const noteAnnouncement = database.prepare(
    "INSERT INTO announcements (device_id, app_id, address, bytes, at) VALUES (?, ?, ?, ?, ?)",
  );
  const keepAnswer = database.prepare(
    `INSERT OR REPLACE INTO idempotency_keys
       (device_id, app_id, key, body_hash, answer, ends_at, package_id) VALUES (?, ?, ?, ?, ?, ?, ?)`,
  );
  const forgetAnnouncements = database.prepare("DELETE FROM announcements WHERE at <= ?");
  const forgetKeys = database.prepare("DELETE FROM idempotency_keys WHERE ends_at <= ?");
  const forgetCodes = database.prepare("DELETE FROM pairing_codes WHERE expires_at <= ?");
  const judge = insertJudge(database);

  return {
    insertPackage({ record, terms }: { record: PackageRecord; terms: InsertTerms }): InsertOutcome {
      const refused = judge(record, terms);
      if (refused !== undefined) return refused;
      const bytes = announcedBytes(record);
      insertRow.run({
        package_id: record.packageId,
        device_id: record.deviceId,
        app_id: record.appId,
        app_name: record.appName,
        created_at: record.createdAt,
        manifest: JSON.stringify(record.manifest),
        announced_bytes: bytes,
        upload_ends_at: record.life.uploadEndsAt,
        version: record.version,
        ...columnsOf(record),
      });
      noteAnnouncement.run(record.deviceId, record.appId, terms.address, bytes, terms.now);
      const kept: IdempotentAnswer | undefined = terms.idempotency;
      if (kept !== undefined) {
        const { deviceId, appId, packageId } = record;
        keepAnswer.run(
          deviceId,
          appId,
          kept.key,
          kept.bodyHash,
          kept.answer,
          kept.endsAt,
          packageId,
        );
      }
      return { kind: "inserted" };
    },

    updatePackage(record: PackageRecord): boolean {
      const { packageId, version } = record;
      return updateRow.run({ package_id: packageId, version, ...columnsOf(record) }).changes === 1;
    },

    removePackage({ packageId, version }: { packageId: string; version: number }): boolean {
      return removeRow.run(packageId, version).changes === 1;
    },

    forgetOld(now: number): void {
      forgetAnnouncements.run(now - DAY_MS);
      forgetKeys.run(now);
      forgetCodes.run(now);
    },
  };
}

/** Judges an insert by what is there already, in the order that the port promises; undefined where it may go ahead. */
function insertJudge(database: DatabaseSync) {
  const liveKey = database.prepare(
    `SELECT key, body_hash, answer, ends_at FROM idempotency_keys
     WHERE device_id = ? AND app_id = ? AND key = ? AND ends_at > ?`,
  );
  const announcedThisHour = database.prepare(
    "SELECT at FROM announcements WHERE device_id = ? AND app_id = ? AND at > ? ORDER BY at",
  );
  const announcedToday = database.prepare(
    "SELECT at, bytes FROM announcements WHERE address = ? AND at > ? ORDER BY at",
  );
  const waiting = database.prepare(
    `SELECT count(*) AS waiting FROM packages
     WHERE device_id = ? AND files_end_at > ? AND committed_at IS NOT NULL AND outcome IS NULL`,
  );
  const keptBytes = database.prepare(
    `SELECT coalesce(sum(announced_bytes), 0) AS bytes FROM packages
     WHERE device_id = ? AND files_end_at > ?`,
  );
  const bytesToCome = database.prepare(
    `SELECT coalesce(sum(missing_bytes), 0) AS bytes FROM packages
     WHERE committed_at IS NULL AND files_end_at > ?`,
  );

  return (
    record: PackageRecord,
    { now, quotas, address, idempotency }: InsertTerms,
  ): InsertOutcome | undefined => {
    const { deviceId, appId } = record;
    const bytes = announcedBytes(record);
    const earlier = idempotency && liveKey.get(deviceId, appId, idempotency.key, now);
    if (earlier !== undefined) return { kind: "replay", earlier: idempotentOf(earlier) };

    const hour = announcedThisHour.all(deviceId, appId, now - HOUR_MS);
    if (hour.length >= quotas.packagesPerHour) {
      const oldest = hour[hour.length - quotas.packagesPerHour];
      return { kind: "hourly-limit", freeAt: number(oldest?.["at"] ?? now) + HOUR_MS };
    }
    const freeAt = addressFreeAt(announcedToday.all(address, now - DAY_MS), bytes, quotas);
    if (freeAt !== undefined) return { kind: "address-limit", freeAt };

    if (number(waiting.get(deviceId, now)?.["waiting"]) >= quotas.waitingPerDevice) {
      return { kind: "many-wait" };
    }
    if (number(keptBytes.get(deviceId, now)?.["bytes"]) + bytes > quotas.bytesPerDevice) {
      return { kind: "device-full" };
    }
    if (number(bytesToCome.get(now)?.["bytes"]) + bytes > quotas.roomBytes) {
      return { kind: "no-room" };
    }
    return undefined;
  };
}

/** When enough of an address's day has passed for `bytes` more; undefined where there is room now. */
function addressFreeAt(
  day: readonly Readonly<Record<string, unknown>>[],
  bytes: number,
  { bytesPerAddressPerDay }: Quotas,
): number | undefined {
  let over = day.reduce((sum, row) => sum + number(row["bytes"]), bytes) - bytesPerAddressPerDay;
  let freeAt: number | undefined;
  for (const row of day) {
    if (over <= 0) break;
    over -= number(row["bytes"]);
    freeAt = number(row["at"]) + DAY_MS;
  }
  return over > 0 ? (freeAt ?? Number.POSITIVE_INFINITY) : freeAt;
}

function announcedBytes({ manifest }: PackageRecord): number {
  return manifest.items.reduce((sum, item) => sum + item.bytes, 0);
}
