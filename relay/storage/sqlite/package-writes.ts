import type { DatabaseSync } from "node:sqlite";
import type { IdempotentAnswer, InsertOutcome } from "../../domain/ports.ts";
import { ANNOUNCEMENT_COUNTS_MS, insertChecker, type InsertOptions } from "./package-quotas.ts";
import type { NewPackageColumns, PackageColumns } from "./rows.ts";

/** A new package for the writer thread, with its manifest as JSON. */
export interface PackageInsert {
  readonly columns: NewPackageColumns;
  readonly manifest: string;
  readonly options: InsertOptions;
}

/** A change that applies only if the package still has this version. */
export interface PackageUpdate {
  readonly packageId: string;
  readonly version: number;
  readonly columns: PackageColumns;
}

/** The package writes. Each runs inside its caller's transaction. */
export function packageWrites(database: DatabaseSync) {
  return { insertPackage: insertWrite(database), ...changeWrites(database) };
}

function insertWrite(database: DatabaseSync) {
  const check = insertChecker(database);
  const insertRow = database.prepare(
    `INSERT INTO packages (package_id, device_id, app_id, app_name, created_at, announced_bytes,
       upload_ends_at, version, committed_at, wait_ends_at, outcome, lease_run, lease_ends_at,
       files_end_at, files_deleted, missing_bytes, uploaded, results)
     VALUES (:package_id, :device_id, :app_id, :app_name, :created_at, :announced_bytes,
       :upload_ends_at, :version, :committed_at, :wait_ends_at, :outcome, :lease_run,
       :lease_ends_at, :files_end_at, :files_deleted, :missing_bytes, :uploaded, :results)`,
  );
  const insertManifest = database.prepare(
    "INSERT INTO manifests (package_id, manifest) VALUES (?, ?)",
  );
  const noteAnnouncement = database.prepare(
    "INSERT INTO announcements (device_id, app_id, address, bytes, at) VALUES (?, ?, ?, ?, ?)",
  );
  const keepAnswer = database.prepare(
    `INSERT OR REPLACE INTO idempotency_keys
       (device_id, app_id, package_id, key, body_hash, answer, ends_at) VALUES (?, ?, ?, ?, ?, ?, ?)`,
  );

  return ({ columns, manifest, options }: PackageInsert): InsertOutcome => {
    const refused = check(columns, options);
    if (refused !== undefined) return refused;
    const { device_id: deviceId, app_id: appId, package_id: packageId } = columns;
    insertRow.run({ ...columns });
    insertManifest.run(packageId, manifest);
    noteAnnouncement.run(deviceId, appId, options.address, columns.announced_bytes, options.now);
    const idempotency: IdempotentAnswer | undefined = options.idempotency;
    if (idempotency !== undefined) {
      const { key, bodyHash, answer, endsAt } = idempotency;
      keepAnswer.run(deviceId, appId, packageId, key, bodyHash, answer, endsAt);
    }
    return { kind: "inserted" };
  };
}

function changeWrites(database: DatabaseSync) {
  const updateRow = database.prepare(
    `UPDATE packages SET committed_at = :committed_at, wait_ends_at = :wait_ends_at,
       outcome = :outcome, lease_run = :lease_run, lease_ends_at = :lease_ends_at,
       files_end_at = :files_end_at, files_deleted = :files_deleted,
       missing_bytes = :missing_bytes, uploaded = :uploaded, results = :results,
       version = version + 1
     WHERE package_id = :package_id AND version = :version`,
  );
  const removeRow = database.prepare("DELETE FROM packages WHERE package_id = ? AND version = ?");
  const forgetAnnouncements = database.prepare("DELETE FROM announcements WHERE at <= ?");
  const forgetKeys = database.prepare("DELETE FROM idempotency_keys WHERE ends_at <= ?");
  const forgetCodes = database.prepare("DELETE FROM pairing_codes WHERE expires_at <= ?");

  return {
    updatePackage({ packageId, version, columns }: PackageUpdate): boolean {
      const { changes } = updateRow.run({ package_id: packageId, version, ...columns });
      return changes === 1;
    },
    removePackage({ packageId, version }: { packageId: string; version: number }): boolean {
      return removeRow.run(packageId, version).changes === 1;
    },
    forgetOld(now: number): void {
      forgetAnnouncements.run(now - ANNOUNCEMENT_COUNTS_MS);
      forgetKeys.run(now);
      forgetCodes.run(now);
    },
  };
}
