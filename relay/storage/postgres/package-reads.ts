import type { PackageCensus, PackageRecords } from "../../domain/ports.ts";
import { ANNOUNCEMENTS_COUNT_MS } from "../both-databases.ts";
import { manifestOf, packageOf, type Row } from "../rows.ts";
import type { Connections } from "./connections.ts";
import { importablePages, ownPages } from "./package-pages.ts";
import { roomColumns, roomCountsOf, type RoomRow } from "./room-counts.ts";
import { statement } from "./statement.ts";

type Reads = Omit<
  PackageRecords,
  "insert" | "update" | "holdRoom" | "remove" | "expire" | "forgetOld"
>;

const WHOLE = `SELECT package_id, device_id, app_id, app_name, created_at, upload_ends_at, committed_at,
    wait_ends_at, outcome, lease_run, lease_ends_at, files_deleted, uploaded, results, version,
    room_held_until, room_tiers, manifest
  FROM packages JOIN manifests USING (package_id)`;

const FIND = statement("find_package", `${WHOLE} WHERE package_id = $1`);
const MANIFEST = statement("find_manifest", "SELECT manifest FROM manifests WHERE package_id = $1");
const IDEMPOTENT = statement(
  "find_idempotent",
  `SELECT key, body_hash AS "bodyHash", answer, ends_at AS "endsAt" FROM idempotency_keys
   WHERE device_id = $1 AND app_id = $2 AND key = $3 AND ends_at > $4`,
);
const DUE = statement(
  "list_due",
  `${WHOLE} JOIN (
     (SELECT package_id FROM packages WHERE files_deleted = 0 AND files_end_at <= $1
      ORDER BY files_end_at LIMIT $3)
     UNION
     (SELECT package_id FROM packages
      WHERE coalesce(wait_ends_at, upload_ends_at) <= $1::bigint - $2::bigint AND files_end_at <= $1
      ORDER BY files_end_at LIMIT $3)) AS due USING (package_id)
   ORDER BY files_end_at LIMIT $3`,
);
const CENSUS = statement(
  "count_packages",
  `SELECT CASE WHEN outcome IS NOT NULL THEN outcome
      WHEN files_deleted = 1 OR files_end_at <= $1 THEN 'expired'
      WHEN committed_at IS NULL THEN 'uploading' ELSE 'waiting' END AS status,
    count(*) AS count, min(committed_at) AS oldest,
    coalesce(sum(missing_bytes) FILTER (WHERE room_held_until > $1 AND room_held_until > 0), 0)::bigint AS reserved
   FROM packages GROUP BY status`,
);

/** The package queries. Nothing is cached. */
export function packageReads(connections: Connections): Reads {
  return {
    find: async (packageId) => {
      const [row] = await connections.read<Row>(FIND, [packageId]);
      return row && packageOf(row, manifestOf(row));
    },
    findManifest: async (packageId) => {
      const [row] = await connections.read<Row>(MANIFEST, [packageId]);
      return row && manifestOf(row);
    },
    findIdempotent: async ({ deviceId, appId }, key, now) =>
      (
        await connections.read<NonNullable<Awaited<ReturnType<Reads["findIdempotent"]>>>>(
          IDEMPOTENT,
          [deviceId, appId, key, now],
        )
      )[0],
    listImportable: importablePages(connections),
    listOwn: ownPages(connections),
    readUsage: usageReads(connections),
    listDue: async (now, statusWindowMs, limit) =>
      (await connections.readSlowly<Row>(DUE, [now, statusWindowMs, limit])).map((row) =>
        packageOf(row, manifestOf(row)),
      ),
    count: async (now) => censusOf(await connections.readSlowly<CensusRow>(CENSUS, [now])),
  };
}

interface CensusRow {
  readonly status: string;
  readonly count: number;
  readonly oldest: number | null;
  readonly reserved: number;
}

function censusOf(rows: readonly CensusRow[]): PackageCensus {
  const of = (status: string) => rows.find((row) => row.status === status);
  const countOf = (status: string) => of(status)?.count ?? 0;
  return {
    counts: {
      uploading: countOf("uploading"),
      waiting: countOf("waiting"),
      imported: countOf("imported"),
      partial: countOf("partial"),
      failed: countOf("failed"),
      expired: countOf("expired"),
    },
    oldestWaitingAt: of("waiting")?.oldest ?? null,
    reservedBytes: rows.reduce((sum, row) => sum + row.reserved, 0),
  };
}

// Rows a whole window in the future don't count, as for an announcement.
const READ = statement(
  "read_usage",
  `SELECT ${roomColumns("$1", "$2", "$3::bigint")}, hour.*
   FROM (SELECT count(*) AS announcements, min(at) AS first_at FROM announcements
     WHERE device_id = $1 AND app_id = $4 AND at > $3::bigint - ${ANNOUNCEMENTS_COUNT_MS} AND at < $3::bigint + ${ANNOUNCEMENTS_COUNT_MS}) AS hour`,
);

interface UsageRow extends RoomRow {
  readonly announcements: number;
  readonly first_at: number | null;
}

/** Reads the counters by which an announcement would be judged (rule A4). */
function usageReads(connections: Connections): PackageRecords["readUsage"] {
  return async ({ deviceId, appId }, { now, address, networks }) => {
    const values = [deviceId, [address, ...networks], now, appId];
    const [row] = await connections.read<UsageRow>(READ, values);
    if (row === undefined) throw new Error("The database counts nothing.");
    return {
      ...roomCountsOf(row),
      waitingPackages: row.device_waiting ?? 0,
      announcements: row.announcements,
      firstAnnouncedAt: row.first_at,
    };
  };
}
