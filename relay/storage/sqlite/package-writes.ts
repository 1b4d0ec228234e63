import type { DatabaseSync } from "node:sqlite";
import type {
  ExpiredPackage,
  InsertOptions,
  InsertOutcome,
  ReceivedBytes,
  UpdateOutcome,
} from "../../domain/ports.ts";
import { RECEIVED_COUNTS_MS } from "../both-databases.ts";
import {
  endsRoom,
  keysIn,
  type NewPackageColumns,
  type PackageColumns,
  text,
  uploadedOf,
} from "../rows.ts";
import { addressWindows } from "./address-window.ts";
import { denialFinder } from "./operator-decisions.ts";
import { removalNoter } from "./removals.ts";
import { reservationLapse } from "./room-counts.ts";
import { holdWrite, insertJudgment } from "./room-judgments.ts";
import { keyMover } from "./sound-key-writes.ts";

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
  readonly received: ReceivedBytes | undefined;
}

/** A package to remove. Only a withdrawal is noted (rule Z11): an expired package expires again. */
export interface PackageRemoval {
  readonly packageId: string;
  readonly version: number;
  readonly isWithdrawn: boolean;
}

/** The package writes. Each runs inside its caller's transaction. */
export function packageWrites(database: DatabaseSync) {
  return {
    insertPackage: insertWrite(database),
    ...changeWrites(database),
    holdRoom: holdWrite(database),
    expirePackages: expiryWrite(database),
  };
}

/** Returns the insert of a package, with its judgment. Runs inside its caller's transaction. */
export function insertWrite(database: DatabaseSync): (insert: PackageInsert) => InsertOutcome {
  const addresses = addressWindows(database);
  const judge = insertJudgment(database, (address, now) => addresses.read(address, now));
  const insertRow = database.prepare(
    `INSERT INTO packages (package_id, device_id, app_id, app_name, created_at, announced_bytes,
       upload_ends_at, version, committed_at, wait_ends_at, outcome, lease_run, lease_ends_at,
       files_end_at, files_deleted, missing_bytes, uploaded, results, room_held_until, room_tiers)
     VALUES (:package_id, :device_id, :app_id, :app_name, :created_at, :announced_bytes,
       :upload_ends_at, :version, :committed_at, :wait_ends_at, :outcome, :lease_run,
       :lease_ends_at, :files_end_at, :files_deleted, :missing_bytes, :uploaded, :results,
       :room_held_until, :room_tiers)`,
  );
  const insertManifest = database.prepare(
    "INSERT INTO manifests (package_id, manifest) VALUES (?, ?)",
  );
  // Counts for the hourly limit. Bytes count for their address when they are received.
  const announce = database.prepare(
    "INSERT INTO announcements (device_id, app_id, at) VALUES (?, ?, ?)",
  );
  const keepAnswer = database.prepare(
    `INSERT OR REPLACE INTO idempotency_keys
       (device_id, app_id, package_id, key, body_hash, answer, ends_at) VALUES (?, ?, ?, ?, ?, ?, ?)`,
  );

  return ({ columns, manifest, options }) => {
    const outcome = judge(columns, options);
    if (outcome.kind !== "inserted") return outcome;
    const { device_id: deviceId, app_id: appId, package_id: packageId } = columns;
    const { idempotency } = options;
    insertRow.run({ ...columns });
    insertManifest.run(packageId, manifest);
    announce.run(deviceId, appId, options.now);
    if (idempotency !== undefined) {
      const { key, bodyHash, answer, endsAt } = idempotency;
      keepAnswer.run(deviceId, appId, packageId, key, bodyHash, answer, endsAt);
    }
    return outcome;
  };
}

function changeWrites(database: DatabaseSync) {
  const stored = database.prepare(
    "SELECT uploaded, files_deleted FROM packages WHERE package_id = ? AND version = ?",
  );
  const updateRow = database.prepare(
    `UPDATE packages SET committed_at = :committed_at, wait_ends_at = :wait_ends_at,
       outcome = :outcome, lease_run = :lease_run, lease_ends_at = :lease_ends_at,
       files_end_at = :files_end_at, files_deleted = :files_deleted,
       missing_bytes = :missing_bytes, uploaded = :uploaded, results = :results,
       counts = iif(:files_deleted = 1, 0, counts), version = version + 1,
       room_held_until = iif(:ends_room, 0,
         iif(room_held_until > 0, max(room_held_until, :room_held_until), 0)),
       room_tiers = iif(:ends_room, '[]', room_tiers)
     WHERE package_id = :package_id`,
  );
  const moveKeys = keyMover(database);
  const isDenied = denialFinder(database);
  const note = removalNoter(database);
  const removeRow = database.prepare("DELETE FROM packages WHERE package_id = ? AND version = ?");
  const addresses = addressWindows(database);
  const lapse = reservationLapse(database);
  const forgetAnnouncements = database.prepare("DELETE FROM announcements WHERE at <= ?");
  const forgetReceived = database.prepare("DELETE FROM received WHERE at <= ?");
  const forgetAnswers = database.prepare("DELETE FROM idempotency_keys WHERE ends_at <= ?");
  const forgetCodes = database.prepare("DELETE FROM pairing_codes WHERE expires_at <= ?");
  const forgetRequests = database.prepare("DELETE FROM pairing_requests WHERE expires_at <= ?");
  const forgetClaims = database.prepare("DELETE FROM repeatable_claims WHERE ends_at <= ?");

  return {
    updatePackage({ packageId, version, columns, received }: PackageUpdate): UpdateOutcome {
      const row = stored.get(packageId, version);
      if (row === undefined) return "changed";
      // The caller looks again, and finds it denied.
      if (columns.uploaded !== row["uploaded"] && isDenied(packageId, columns.uploaded))
        return "changed";
      if (!moveKeys(keysIn(row), keysIn({ ...columns }))) return "key-gone";
      updateRow.run({ package_id: packageId, ...columns, ends_room: endsRoom(columns) ? 1 : 0 });
      if (received !== undefined) addresses.add(received);
      return "updated";
    },
    removePackage({ packageId, version, isWithdrawn }: PackageRemoval): boolean {
      const isRemoved = removeRow.run(packageId, version).changes > 0;
      if (isRemoved && isWithdrawn) note("package", packageId);
      return isRemoved;
    },
    forgetOld(now: number): void {
      forgetAnnouncements.run(now - RECEIVED_COUNTS_MS);
      forgetReceived.run(now - RECEIVED_COUNTS_MS);
      forgetAnswers.run(now);
      forgetCodes.run(now);
      lapse(now);
      forgetRequests.run(now);
      forgetClaims.run(now);
    },
  };
}

/** Deletes the files of packages that are due, on record. Runs inside its caller's transaction. */
function expiryWrite(database: DatabaseSync) {
  const expire = database.prepare(
    `UPDATE packages SET files_deleted = 1, counts = 0, version = version + 1,
       room_held_until = 0, room_tiers = '[]'
     WHERE package_id IN (
       SELECT package_id FROM packages WHERE files_deleted = 0 AND files_end_at <= ?
       ORDER BY files_end_at LIMIT +?)
     RETURNING package_id, device_id, uploaded`,
  );
  const moveKeys = keyMover(database);
  return ({ now, limit }: { now: number; limit: number }): readonly ExpiredPackage[] =>
    expire.all(now, limit).map((row) => {
      const keys = new Set(uploadedOf(row["uploaded"]).values());
      moveKeys(keys, new Set());
      return {
        packageId: text(row["package_id"]),
        deviceId: text(row["device_id"]),
        keys: [...keys],
      };
    });
}
