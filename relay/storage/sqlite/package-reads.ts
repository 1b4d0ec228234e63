import type { DatabaseSync } from "node:sqlite";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Owner, PackageCensus, PackageRecord, PackageRecords } from "../../domain/ports.ts";
import { ANNOUNCEMENTS_COUNT_MS } from "../both-databases.ts";
import {
  answerOf,
  manifestOf,
  number,
  numberOrNull,
  packageOf,
  roomOf,
  type Row,
  sizeInCharacters,
  text,
} from "../rows.ts";
import { addressWindows } from "./address-window.ts";
import { importablePages, ownPages } from "./package-pages.ts";
import type { RecordCache } from "./record-cache.ts";
import { roomCounter } from "./room-counts.ts";

type Reads = Omit<
  PackageRecords,
  "insert" | "update" | "holdRoom" | "remove" | "expire" | "forgetOld"
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

/** Number of packages that are counted in about a millisecond. Other calls are served in between. */
const CHUNK = 2000;

/** Returns a function that counts the packages in chunks. A changing one counts as before or after. */
export function packageCensus(database: DatabaseSync): (now: number) => Promise<PackageCensus> {
  const chunk = database.prepare(
    `WITH chunk AS MATERIALIZED (
       SELECT rowid AS id, outcome, committed_at, files_end_at, files_deleted
       FROM packages WHERE rowid > ?1 ORDER BY rowid LIMIT +?2)
     SELECT max(id) AS last, count(*) AS count, min(committed_at) AS oldest,
       CASE WHEN outcome IS NOT NULL THEN outcome
         WHEN files_deleted = 1 OR files_end_at <= ?3 THEN 'expired'
         WHEN committed_at IS NULL THEN 'uploading'
         ELSE 'waiting' END AS status
     FROM chunk GROUP BY status`,
  );
  const reserved = database.prepare(
    `SELECT coalesce(sum(reserved_bytes), 0) AS bytes FROM packages
     WHERE room_held_until > ? AND room_held_until > 0`,
  );
  return async (now) => {
    const counts = { uploading: 0, waiting: 0, imported: 0, partial: 0, failed: 0, expired: 0 };
    let oldestWaitingAt: number | null = null;
    let after = 0;
    for (;;) {
      const rows = chunk.all(after, CHUNK, now);
      for (const row of rows) {
        const status = text(row["status"]);
        if (!isCounted(status, counts)) throw new Error(`A package has the outcome ${status}.`);
        counts[status] += number(row["count"]);
        after = Math.max(after, number(row["last"]));
        if (status === "waiting") {
          oldestWaitingAt = Math.min(oldestWaitingAt ?? Infinity, number(row["oldest"]));
        }
      }
      if (rows.length === 0) break;
      await nextTurn();
    }
    return { counts, oldestWaitingAt, reservedBytes: number(reserved.get(now)?.["bytes"]) };
  };
}

function isCounted<Status extends string>(
  status: string,
  counts: Readonly<Record<Status, number>>,
): status is Status {
  return Object.hasOwn(counts, status);
}

/**
 * Reads the counters by which an announcement would be judged (rule A4). Ends no lapsed reservation and keeps
 * counting what has expired, because that would write: the next announcement or sweep does so.
 */
function usageReads(database: DatabaseSync): PackageRecords["readUsage"] {
  const addresses = addressWindows(database);
  const countRoom = roomCounter(database, (address, now) => addresses.read(address, now));
  const device = database.prepare("SELECT waiting_packages FROM devices WHERE device_id = ?");
  // Rows a whole window in the future don't count, as for an announcement.
  const announced = database.prepare(
    `SELECT count(*) AS count, min(at) AS first FROM announcements
     WHERE device_id = ? AND app_id = ? AND at > ? AND at < ?`,
  );
  return async ({ deviceId, appId }, asked) => {
    const { now } = asked;
    const hour = announced.get(
      deviceId,
      appId,
      now - ANNOUNCEMENTS_COUNT_MS,
      now + ANNOUNCEMENTS_COUNT_MS,
    );
    return {
      ...countRoom({ deviceId, ...asked, confirmedNow: now }).counts,
      waitingPackages: number(device.get(deviceId)?.["waiting_packages"] ?? 0),
      announcements: number(hour?.["count"]),
      firstAnnouncedAt: numberOrNull(hour?.["first"]),
    };
  };
}
