import { type InsertVerdict, judgeInsert } from "../../../core/quotas/judge-insert.ts";
import type { InsertOptions, InsertOutcome, PackageRecord } from "../../domain/ports.ts";
import { ANNOUNCEMENTS_COUNT_MS } from "../both-databases.ts";
import { newColumnsOf } from "../rows.ts";
import type { Connections, Transaction } from "./connections.ts";
import { CountChanges, endedColumns, type EndedRow, recount } from "./counts.ts";
import { endLapsed } from "./expiry.ts";
import { LOCK_DEVICE } from "./lock-order.ts";
import {
  lapsedColumn,
  lockTiers,
  refuseRoom,
  type RoomCaller,
  roomColumns,
  roomCountsOf,
  type RoomRow,
} from "./room-counts.ts";
import { statement } from "./statement.ts";

/** Maximum number of tries after reservations have lapsed. */
const MAX_TRIES = 4;

// $1 device, $2 tiers, $3 now, $4 proven now, $5 latest end, $6 app, $7 idempotency key, $8 announcements before the nth.
// Announcements a whole window in the future don't count: the clock was set back.
const READ = statement(
  "read_for_insert",
  `SELECT ${roomColumns("$1", "$2", "$3::bigint")}, ${endedColumns("$1", "$4")},
     ${lapsedColumn("$4", "$5")},
     (SELECT at FROM announcements WHERE device_id = $1 AND app_id = $6
       AND at < $3::bigint + ${ANNOUNCEMENTS_COUNT_MS} ORDER BY at DESC LIMIT 1 OFFSET $8) AS nth_at,
     earlier.body_hash, earlier.answer, earlier.ends_at
   FROM (SELECT 1) AS one LEFT JOIN idempotency_keys AS earlier
     ON earlier.device_id = $1 AND earlier.app_id = $6 AND earlier.key = $7`,
);
const INSERT = statement(
  "insert_package",
  `WITH package AS (
     INSERT INTO packages (package_id, device_id, app_id, app_name, created_at, announced_bytes,
       upload_ends_at, version, committed_at, wait_ends_at, outcome, lease_run, lease_ends_at,
       files_end_at, files_deleted, missing_bytes, uploaded, results, room_held_until, room_tiers, room_address)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21)),
   manifest AS (INSERT INTO manifests (package_id, manifest) VALUES ($1, $22)),
   announced AS (INSERT INTO announcements (device_id, app_id, at) VALUES ($2, $3, $23))
   INSERT INTO idempotency_keys (device_id, app_id, package_id, key, body_hash, answer, ends_at)
   SELECT $2, $3, $1, $24::text, $25, $26, $27 WHERE $24::text IS NOT NULL
   ON CONFLICT (device_id, app_id, key) DO UPDATE SET package_id = excluded.package_id,
     body_hash = excluded.body_hash, answer = excluded.answer, ends_at = excluded.ends_at`,
);
const EXISTS = statement("has_package", "SELECT 1 FROM packages WHERE package_id = $1");

interface JudgedRow extends RoomRow, EndedRow {
  readonly has_lapsed: boolean;
  readonly nth_at: number | null;
  readonly body_hash: string | null;
  readonly answer: string | null;
  readonly ends_at: number | null;
}

/** Returns a function that judges an announcement and inserts its package, in one transaction. */
export function packageInsert(connections: Connections) {
  return async (record: PackageRecord, options: InsertOptions): Promise<InsertOutcome> => {
    const { confirmedNow = options.now, latestEnd } = options;
    for (let tried = 1; ; tried++) {
      const outcome = await connections.transaction((tx) => insert(tx, record, options), {
        ifUnknown: async () =>
          (await connections.readSlowly(EXISTS, [record.packageId])).length === 1,
      });
      if (outcome.kind !== "lapse-first") return outcome;
      if (tried === MAX_TRIES) return outcome.refusal;
      // Lapsed reservations are still counted, so counts may refuse too much, but never too little.
      await endLapsed(connections, confirmedNow, latestEnd);
    }
  };
}

interface LapseFirst {
  readonly kind: "lapse-first";
  readonly refusal: InsertOutcome;
}

async function insert(
  tx: Transaction,
  record: PackageRecord,
  options: InsertOptions,
): Promise<InsertOutcome | LapseFirst> {
  const columns = newColumnsOf(record);
  const { now, confirmedNow = now, quotas, address } = options;
  const { deviceId } = record;
  const { networks = [] } = record.room ?? {};
  const caller = { deviceId, address, networks, now, confirmedNow };
  tx.send(LOCK_DEVICE, [deviceId]);
  lockTiers(tx, caller, quotas);
  let row = await readCounts(tx, record, caller, options);
  let verdict = judge(row, columns.announced_bytes, options);
  if (row.lacks_some || (row.counts_ended && verdict.kind !== "admitted")) {
    await recount(tx, deviceId, confirmedNow);
    row = await readCounts(tx, record, caller, options);
    verdict = judge(row, columns.announced_bytes, options);
  }
  switch (verdict.kind) {
    case "admitted":
      send(tx, columns, record, options);
      return { kind: "inserted" };
    case "device-gone":
    case "replay":
    case "hourly-limit":
    case "many-wait":
      return verdict;
    case "address-limit":
    case "uploads-unfinished":
    case "device-full":
    case "no-room": {
      const refusal = await refuseRoom(tx, verdict, row, caller);
      return row.has_lapsed ? { kind: "lapse-first", refusal } : refusal;
    }
  }
}

async function readCounts(
  tx: Transaction,
  { appId }: PackageRecord,
  { deviceId, address, networks, now, confirmedNow }: RoomCaller,
  { latestEnd = Number.MAX_SAFE_INTEGER, idempotency, quotas }: InsertOptions,
): Promise<JudgedRow> {
  const [row] = await tx.query<JudgedRow>(READ, [
    deviceId,
    [address, ...networks],
    now,
    confirmedNow,
    Math.min(latestEnd, Number.MAX_SAFE_INTEGER),
    appId,
    idempotency?.key ?? null,
    Math.max(0, quotas.packagesPerHour - 1),
  ]);
  if (row === undefined) throw new Error("The database counts nothing.");
  return row;
}

function judge(
  row: JudgedRow,
  bytes: number,
  { now, confirmedNow = now, quotas, idempotency }: InsertOptions,
): InsertVerdict {
  const { body_hash: bodyHash, answer, ends_at: endsAt } = row;
  const isKnown = idempotency && bodyHash !== null && answer !== null && endsAt !== null;
  return judgeInsert(
    {
      deviceExists: row.device_waiting !== null,
      earlier: isKnown ? { key: idempotency.key, bodyHash, answer, endsAt } : undefined,
      nthLatestAt: row.nth_at ?? undefined,
      waitingPackages: row.device_waiting ?? 0,
      ...roomCountsOf(row),
    },
    quotas,
    { bytes, now, confirmedNow },
  );
}

function send(
  tx: Transaction,
  columns: ReturnType<typeof newColumnsOf>,
  record: PackageRecord,
  { now, idempotency }: InsertOptions,
): void {
  tx.send(INSERT, [
    columns.package_id,
    columns.device_id,
    columns.app_id,
    columns.app_name,
    columns.created_at,
    columns.announced_bytes,
    columns.upload_ends_at,
    columns.version,
    columns.committed_at,
    columns.wait_ends_at,
    columns.outcome,
    columns.lease_run,
    columns.lease_ends_at,
    columns.files_end_at,
    columns.files_deleted,
    columns.missing_bytes,
    columns.uploaded,
    columns.results,
    columns.room_held_until,
    columns.room_tiers,
    record.room?.address ?? null,
    JSON.stringify(record.manifest),
    now,
    idempotency?.key ?? null,
    idempotency?.bodyHash ?? null,
    idempotency?.answer ?? null,
    idempotency?.endsAt ?? null,
  ]);
  const counts = new CountChanges();
  counts.add(columns.device_id, { ...columns, counts: 1, partial_bytes: 0 });
  counts.write(tx);
}
