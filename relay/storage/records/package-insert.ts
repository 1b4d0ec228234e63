import { type InsertVerdict, judgeInsert } from "../../../core/quotas/judge-insert.ts";
import type {
  IdempotentAnswer,
  InsertOptions,
  InsertOutcome,
  Owner,
  HourUsage,
  Usage,
  UsageAsked,
} from "../../domain/ports.ts";
import { change } from "./change.ts";
import { countChanges, tiersOf } from "./counts.ts";
import { LOCK_DEVICE } from "./locks.ts";
import {
  type Counted,
  findFullOf,
  finiteEnd,
  JUDGED_COLUMNS,
  judgeCounts,
  type Judged,
  type JudgedRow,
  readCounts,
  refuseRoom,
} from "./room.ts";
import type { NewPackageColumns } from "./rows.ts";
import { ask, askRecords, hasRows, statement, tell, type Work } from "./statement.ts";
import { insertInto, membersOf, putInto } from "./schema.ts";
import { columnNames } from "./tables.ts";

/** Announcements count for this long (rule L1). */
const ANNOUNCEMENTS_COUNT_MS = 3_600_000;

interface InsertRow extends JudgedRow {
  readonly device_exists: number | null;
  readonly nth_at: number | null;
  readonly body_hash: string | null;
  readonly answer: string | null;
  readonly ends_at: number | null;
}

// Announcements a whole window in the future don't count: the clock was set back.
const READ = statement<InsertRow>(
  "read_for_insert",
  `SELECT ${JUDGED_COLUMNS},
     (SELECT 1 FROM device_locks WHERE device_id = :deviceId) AS device_exists,
     (SELECT at FROM announcements WHERE device_id = :deviceId AND app_id = :appId
        AND at < CAST(:now AS bigint) + ${ANNOUNCEMENTS_COUNT_MS}
      ORDER BY at DESC LIMIT 1 OFFSET 0 + :others) AS nth_at,
     earlier.body_hash, earlier.answer, earlier.ends_at
   FROM (SELECT 1) AS one LEFT JOIN idempotency_keys AS earlier
     ON earlier.device_id = :deviceId AND earlier.app_id = :appId AND earlier.key = :key`,
);
const HOUR = statement<{ readonly announcements: number; readonly first_at: number | null }>(
  "count_announcements",
  `SELECT count(*) AS announcements, min(at) AS first_at FROM announcements
   WHERE device_id = :deviceId AND app_id = :appId
     AND at > CAST(:now AS bigint) - ${ANNOUNCEMENTS_COUNT_MS}
     AND at < CAST(:now AS bigint) + ${ANNOUNCEMENTS_COUNT_MS}`,
);
/** Spare packages that are looked at for advice on room. */
const SPARES_READ = 20;
const SPARE = statement<{ readonly bytes: number }>(
  "read_spare_bytes",
  `SELECT CAST(coalesce(sum(bytes), 0) AS bigint) AS bytes FROM (
     SELECT announced_bytes - missing_bytes AS bytes FROM packages
     WHERE spare = 1 AND files_deleted = 0 AND coalesce(lease_ends_at, 0) <= :now
     ORDER BY committed_at, place LIMIT ${SPARES_READ}) AS oldest`,
);
const ANSWER = statement<IdempotentAnswer>(
  "find_answer",
  `SELECT ${membersOf("idempotency_keys", ["key", "body_hash", "answer", "ends_at"])}
   FROM idempotency_keys
   WHERE device_id = :deviceId AND app_id = :appId AND key = :key AND ends_at > :now`,
);
export const HAS_PACKAGE = statement(
  "has_package",
  "SELECT 1 FROM packages WHERE package_id = :packageId",
  "postgres",
);
const INSERT_MANIFEST = statement("insert_manifest", insertInto("manifests"));
const ANNOUNCE = statement("announce", insertInto("announcements"));
const KEEP_ANSWER = statement("keep_answer", putInto("idempotency_keys"));
/** Columns that begin with their default. */
const LATER = new Set(["place", "partial_bytes", "counts", "changed_by", "arrived", "seen_at"]);
const INSERT = statement(
  "insert_package",
  insertInto(
    "packages",
    columnNames("packages").filter((column) => !LATER.has(column)),
    (column) => column,
  ),
);

/** A new package, with its manifest as JSON. */
export interface PackageInsert {
  readonly columns: NewPackageColumns;
  readonly foldedTitle: string;
  readonly manifest: string;
  readonly options: InsertOptions;
}

export const INSERT_CHANGES = {
  insertPackage: change(insertPackage, {
    ifUnknown: ({ columns }) => hasRows(HAS_PACKAGE({ packageId: columns.package_id })),
  }),
};

/** Judges an announcement and inserts its package. */
function* insertPackage(insert: PackageInsert): Work<Judged<InsertOutcome>> {
  const { columns, options } = insert;
  const { now, confirmedNow = now, quotas, address, idempotency } = options;
  const [, ...networks] = tiersOf(columns.room_tiers);
  const { device_id: deviceId, app_id: appId } = columns;
  const caller = { deviceId, appId, address, networks, now, confirmedNow };
  yield* tell(LOCK_DEVICE(caller));
  const reading = READ({
    ...caller,
    latestEnd: finiteEnd(options.latestEnd),
    key: idempotency?.key ?? null,
    others: Math.max(0, quotas.packagesPerHour - 1),
  });
  const { row, refused } = yield* judgeCounts(caller, { reading, quotas }, (counted) => {
    const verdict = judge(counted, insert);
    return verdict.kind === "admitted" ? undefined : verdict;
  });
  if (refused === undefined) {
    yield* write(insert);
    return { outcome: { kind: "inserted" }, hasLapsed: false };
  }
  switch (refused.kind) {
    case "device-gone":
    case "replay":
    case "hourly-limit":
      return { outcome: refused, hasLapsed: false };
    case "many-wait": {
      const fullOf = yield* findFullOf(refused.of, "waiting", caller);
      return { outcome: { kind: "many-wait", fullOf }, hasLapsed: false };
    }
    case "address-limit":
    case "uploads-unfinished":
    case "device-full":
    case "no-room":
      return {
        outcome: yield* refuseRoom(refused, row, caller),
        hasLapsed: row.has_lapsed === 1,
      };
  }
}

function judge(
  { row, counts }: Counted<InsertRow>,
  { columns, options }: PackageInsert,
): InsertVerdict {
  const { now, confirmedNow = now, quotas, idempotency } = options;
  const { body_hash: bodyHash, answer, ends_at: endsAt } = row;
  const isKnown = idempotency && bodyHash !== null && answer !== null && endsAt !== null;
  return judgeInsert(
    {
      deviceExists: row.device_exists !== null,
      earlier: isKnown ? { key: idempotency.key, bodyHash, answer, endsAt } : undefined,
      nthLatestAt: row.nth_at ?? undefined,
      ...counts,
    },
    quotas,
    { bytes: columns.announced_bytes, now, confirmedNow },
  );
}

function* write(insert: PackageInsert): Work<void> {
  const { columns, foldedTitle, manifest } = insert;
  const { now, idempotency } = insert.options;
  const { package_id: packageId, device_id: deviceId, app_id: appId } = columns;
  yield* tell(
    INSERT(columns),
    INSERT_MANIFEST({ packageId, foldedTitle, manifest }),
    ANNOUNCE({ deviceId, appId, at: now }),
  );
  if (idempotency !== undefined) {
    yield* tell(KEEP_ANSWER({ ...idempotency, deviceId, appId, packageId }));
  }
  yield* countChanges([{ after: { ...columns, counts: 1, partial_bytes: 0 } }]);
}

/** Reads the counters by which an announcement would be judged (rule A4). */
export function* readUsage({ deviceId, appId }: Owner, asked: UsageAsked): Work<Usage> {
  const { counts } = yield* readCounts({ deviceId, appId, ...asked });
  const [spare] = yield* ask(SPARE({ now: asked.now }));
  return { ...counts, spareOfRelay: spare?.bytes ?? 0 };
}

/** Reads an app's announcements in the last hour (rule L1). */
export function* readHour({ deviceId, appId }: Owner, now: number): Work<HourUsage> {
  const [hour] = yield* ask(HOUR({ deviceId, appId, now }));
  return { announcements: hour?.announcements ?? 0, firstAnnouncedAt: hour?.first_at ?? null };
}

/** Returns the unexpired answer stored for a key of (device, app id). */
export function* findIdempotent(
  { deviceId, appId }: Owner,
  key: string,
  now: number,
): Work<IdempotentAnswer | undefined> {
  const [answer] = yield* askRecords(ANSWER({ deviceId, appId, key, now }));
  return answer;
}
