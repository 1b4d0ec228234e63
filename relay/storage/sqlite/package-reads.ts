import type { DatabaseSync } from "node:sqlite";
import type { Owner, PackageRecord, PackageRecords } from "../../domain/ports.ts";
import { packageCensus } from "./package-census.ts";
import { importablePages } from "./importable-pages.ts";
import { ownPages } from "./own-pages.ts";
import type { RecordCache } from "./record-cache.ts";
import {
  answerOf,
  manifestOf,
  packageOf,
  roomOf,
  type Row,
  sizeInCharacters,
  text,
} from "../rows.ts";
import { usageReads } from "./usage-reads.ts";

type Reads = Pick<
  PackageRecords,
  | "find"
  | "findManifest"
  | "findIdempotent"
  | "listImportable"
  | "listOwn"
  | "readUsage"
  | "listDue"
  | "count"
>;

/**
 * The package queries, over a read-only connection.
 * @param cache the caller marks it stale after every write, its own and other connections'
 */
export function packageReads(database: DatabaseSync, cache: RecordCache): Reads {
  const find = recordFinder(database, cache);
  const idempotent = database.prepare(
    `SELECT key, body_hash, answer, ends_at FROM idempotency_keys
     WHERE device_id = ? AND app_id = ? AND key = ? AND ends_at > ?`,
  );
  const manifest = database.prepare("SELECT manifest FROM manifests WHERE package_id = ?");
  const due = database.prepare(
    `SELECT package_id, files_end_at FROM packages WHERE files_deleted = 0 AND files_end_at <= ?1
     UNION
     SELECT package_id, files_end_at FROM packages
     WHERE coalesce(wait_ends_at, upload_ends_at) <= ?1 - ?2 AND files_end_at <= ?1
     ORDER BY files_end_at LIMIT +?3`,
  );
  // Skips a package that another thread removed since its id was listed.
  const findAll = (rows: readonly Row[]) =>
    rows.map((row) => find(text(row["package_id"]))).filter((record) => record !== undefined);

  return {
    // Reads a record that is not current. Other queries read too: their result may be ahead of a write not
    // yet acknowledged.
    find: async (packageId) => cache.getCurrent(packageId) ?? find(packageId),
    findIdempotent: async (owner: Owner, key: string, now: number) => {
      const row = idempotent.get(owner.deviceId, owner.appId, key, now);
      return row === undefined ? undefined : answerOf(row);
    },
    count: packageCensus(database),
    findManifest: async (packageId) => {
      const row = manifest.get(packageId);
      return row && (cache.get(packageId)?.manifest ?? manifestOf(row));
    },
    listImportable: importablePages(database),
    listOwn: ownPages(database),
    readUsage: usageReads(database),
    listDue: async (now, statusWindowMs, limit) => findAll(due.all(now, statusWindowMs, limit)),
  };
}

/** Finds one stored package. For a cached record, it reads only what changes most: version and room. */
function recordFinder(
  database: DatabaseSync,
  cache: RecordCache,
): (packageId: string) => PackageRecord | undefined {
  const current = database.prepare(
    "SELECT version, room_held_until, room_tiers FROM packages WHERE package_id = ?",
  );
  const whole = database.prepare(
    `SELECT package_id, device_id, app_id, app_name, created_at, upload_ends_at, committed_at,
       wait_ends_at, outcome, lease_run, lease_ends_at, files_deleted, uploaded, results, version,
       room_held_until, room_tiers, manifest
     FROM packages JOIN manifests USING (package_id) WHERE package_id = ?`,
  );
  return (packageId) => {
    const known = cache.get(packageId);
    const stored = known && current.get(packageId);
    if (known !== undefined && stored?.["version"] === known.version) {
      const room = roomOf(stored);
      if (room?.until === known.room?.until && room?.address === known.room?.address) {
        cache.markCurrent(packageId);
        return known;
      }
    }
    const row = whole.get(packageId);
    if (row === undefined) {
      cache.forget(packageId);
      return undefined;
    }
    const record = packageOf(row, known?.manifest ?? manifestOf(row));
    cache.keep(record, sizeInCharacters(row));
    return record;
  };
}
