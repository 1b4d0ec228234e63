import type { DatabaseSync } from "node:sqlite";
import type { AnnouncedManifest } from "../../../core/manifest/manifest.ts";
import type { IdempotentAnswer, Owner, PackageRecord, PackageRecords } from "../../domain/ports.ts";
import { manifestOf, number, packageOf, type Row, text } from "./rows.ts";

/** Manifests never change, so the parsed ones of the packages asked for last are kept. */
const MAX_KEPT_MANIFESTS = 500;

const COLUMNS = `package_id, device_id, app_id, app_name, created_at, upload_ends_at, committed_at,
  wait_ends_at, outcome, lease_run, lease_ends_at, files_deleted, uploaded, results, version`;

type Reads = Pick<
  PackageRecords,
  "find" | "findIdempotent" | "listImportable" | "listUploading" | "listDue" | "isSoundKnown"
>;

/** The questions about packages, over a connection that only reads. */
export function packageReads(database: DatabaseSync): Reads {
  const manifests = new Map<string, AnnouncedManifest>();
  const manifestStatement = database.prepare("SELECT manifest FROM packages WHERE package_id = ?");
  const findStatement = database.prepare(`SELECT ${COLUMNS} FROM packages WHERE package_id = ?`);
  const idempotentStatement = database.prepare(
    `SELECT key, body_hash, answer, ends_at FROM idempotency_keys
     WHERE device_id = ? AND app_id = ? AND key = ? AND ends_at > ?`,
  );
  const importableStatement = database.prepare(
    `SELECT ${COLUMNS} FROM packages
     WHERE device_id = ? AND files_end_at > ? AND committed_at IS NOT NULL AND files_deleted = 0
     ORDER BY committed_at DESC, rowid DESC`,
  );
  const uploadingStatement = database.prepare(
    `SELECT ${COLUMNS} FROM packages
     WHERE device_id = ? AND files_end_at > ? AND app_id = ? AND committed_at IS NULL`,
  );
  const dueStatement = database.prepare(
    `SELECT ${COLUMNS} FROM packages
     WHERE files_end_at <= ?1 AND (files_deleted = 0
       OR coalesce(wait_ends_at, upload_ends_at) + ?2 <= ?1)
     LIMIT ?3`,
  );

  const keptManifest = (packageId: string): AnnouncedManifest => {
    const kept = manifests.get(packageId);
    if (kept !== undefined) return kept;
    const row = manifestStatement.get(packageId);
    if (row === undefined) throw new Error("The package went while it was read.");
    if (manifests.size >= MAX_KEPT_MANIFESTS) manifests.clear();
    const manifest = manifestOf(row);
    manifests.set(packageId, manifest);
    return manifest;
  };
  const record = (row: Row): PackageRecord => packageOf(row, keptManifest(text(row["package_id"])));
  const find = (packageId: string) => {
    const row = findStatement.get(packageId);
    return row === undefined ? undefined : record(row);
  };

  return {
    find: async (packageId) => find(packageId),
    findIdempotent: async (owner: Owner, key: string, now: number) => {
      const row = idempotentStatement.get(owner.deviceId, owner.appId, key, now);
      return row === undefined ? undefined : idempotentOf(row);
    },
    listImportable: async (deviceId, now) => importableStatement.all(deviceId, now).map(record),
    listUploading: async ({ deviceId, appId }, now) =>
      uploadingStatement.all(deviceId, now, appId).map(record),
    listDue: async (now, statusWindowMs, limit) =>
      dueStatement.all(now, statusWindowMs, limit).map(record),
    isSoundKnown: async (key) => {
      const record = find(key.split("/")[0] ?? "");
      return (
        record !== undefined && !record.filesDeleted && [...record.uploaded.values()].includes(key)
      );
    },
  };
}

/** The kept answer of a row. */
export function idempotentOf(row: Row): IdempotentAnswer {
  return {
    key: text(row["key"]),
    bodyHash: text(row["body_hash"]),
    answer: text(row["answer"]),
    endsAt: number(row["ends_at"]),
  };
}
