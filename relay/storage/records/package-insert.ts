import { type InsertVerdict, judgeInsert } from "../../../core/quotas/judge-insert.ts";
import type {
  IdempotentAnswer,
  InsertOptions,
  InsertOutcome,
  Usage,
  UsageAsked,
} from "../../domain/ports.ts";
import { change } from "./change.ts";
import { CountChanges, tiersOf } from "./counts.ts";
import { LOCK_DEVICE } from "./locks.ts";
import {
  type Counted,
  JUDGED_COLUMNS,
  type JudgedRow,
  judgeCounts,
  judgedValues,
  readCounts,
  refuseRoom,
} from "./room.ts";
import { answerOf, type NewPackageColumns, type Row } from "./rows.ts";
import { ask, statement, tell, type Values, type Work } from "./statement.ts";
import { columnNames } from "./tables.ts";

/** Announcements count for this long (rule L1). */
const ANNOUNCEMENTS_COUNT_MS = 3_600_000;

interface InsertRow extends JudgedRow {
  readonly nth_at: number | null;
  readonly body_hash: string | null;
  readonly answer: string | null;
  readonly ends_at: number | null;
}

// Announcements a whole window in the future don't count: the clock was set back.
const READ = statement<InsertRow>(
  "read_for_insert",
  `SELECT ${JUDGED_COLUMNS},
     (SELECT at FROM announcements WHERE device_id = :device_id AND app_id = :app_id
        AND at < CAST(:now AS bigint) + ${ANNOUNCEMENTS_COUNT_MS}
      ORDER BY at DESC LIMIT 1 OFFSET 0 + :others) AS nth_at,
     earlier.body_hash, earlier.answer, earlier.ends_at
   FROM (SELECT 1) AS one LEFT JOIN idempotency_keys AS earlier
     ON earlier.device_id = :device_id AND earlier.app_id = :app_id AND earlier.key = :key`,
);
const HOUR = statement<{ readonly announcements: number; readonly first_at: number | null }>(
  "count_announcements",
  `SELECT count(*) AS announcements, min(at) AS first_at FROM announcements
   WHERE device_id = :device_id AND app_id = :app_id
     AND at > CAST(:now AS bigint) - ${ANNOUNCEMENTS_COUNT_MS}
     AND at < CAST(:now AS bigint) + ${ANNOUNCEMENTS_COUNT_MS}`,
);
const ANSWER = statement<Row>(
  "find_answer",
  `SELECT key, body_hash, answer, ends_at FROM idempotency_keys
   WHERE device_id = :device_id AND app_id = :app_id AND key = :key`,
);
export const HAS_PACKAGE = statement(
  "has_package",
  "SELECT 1 FROM packages WHERE package_id = :package_id",
  "postgres",
);
const INSERT_MANIFEST = statement(
  "insert_manifest",
  "INSERT INTO manifests (package_id, manifest) VALUES (:package_id, :manifest)",
);
const ANNOUNCE = statement(
  "announce",
  "INSERT INTO announcements (device_id, app_id, at) VALUES (:device_id, :app_id, :at)",
);
const KEEP_ANSWER = statement(
  "keep_answer",
  `INSERT INTO idempotency_keys (device_id, app_id, package_id, key, body_hash, answer, ends_at)
   VALUES (:device_id, :app_id, :package_id, :key, :body_hash, :answer, :ends_at)
   ON CONFLICT (device_id, app_id, key) DO UPDATE SET package_id = excluded.package_id,
     body_hash = excluded.body_hash, answer = excluded.answer, ends_at = excluded.ends_at`,
);
/** Columns that begin with their default. */
const LATER = new Set(["place", "partial_bytes", "counts", "changed_by"]);
const GIVEN = columnNames("packages").filter((name) => !LATER.has(name));
const INSERT = statement(
  "insert_package",
  `INSERT INTO packages (${GIVEN.join(", ")}) VALUES (${GIVEN.map((name) => `:${name}`).join(", ")})`,
);

/** A new package, with its manifest as JSON. */
export interface PackageInsert {
  readonly columns: NewPackageColumns;
  readonly manifest: string;
  readonly options: InsertOptions;
}

/** Lapsed reservations were counted, and may be the reason of the refusal. */
export interface LapseFirst<Refusal> {
  readonly kind: "lapse-first";
  readonly refusal: Refusal;
}

export const INSERT_CHANGES = {
  insertPackage: change(insertPackage, {
    ifUnknown: function* ({ columns: { package_id } }) {
      return (yield* ask(HAS_PACKAGE({ package_id }))).length === 1;
    },
  }),
};

/** Judges an announcement and inserts its package. */
function* insertPackage(insert: PackageInsert): Work<InsertOutcome | LapseFirst<InsertOutcome>> {
  const { columns, options } = insert;
  const { device_id, app_id } = columns;
  const { now, confirmedNow = now, quotas, address, idempotency } = options;
  const [, ...networks] = tiersOf(columns.room_tiers);
  const caller = { deviceId: device_id, address, networks, now, confirmedNow };
  yield* tell(LOCK_DEVICE({ device_id }));
  const reading = READ({
    ...judgedValues(caller, options.latestEnd),
    app_id,
    key: idempotency?.key ?? null,
    others: Math.max(0, quotas.packagesPerHour - 1),
  });
  const { row, refused } = yield* judgeCounts(caller, { reading, quotas }, (counted) => {
    const verdict = judge(counted, insert);
    return verdict.kind === "admitted" ? undefined : verdict;
  });
  switch (refused?.kind) {
    case undefined:
      yield* write(insert);
      return { kind: "inserted" };
    case "device-gone":
    case "replay":
    case "hourly-limit":
    case "many-wait":
      return refused;
    case "address-limit":
    case "uploads-unfinished":
    case "device-full":
    case "no-room": {
      const refusal = yield* refuseRoom(refused, row, caller);
      return row.has_lapsed === 1 ? { kind: "lapse-first", refusal } : refusal;
    }
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
      deviceExists: row.device_waiting !== null,
      earlier: isKnown ? { key: idempotency.key, bodyHash, answer, endsAt } : undefined,
      nthLatestAt: row.nth_at ?? undefined,
      waitingPackages: row.device_waiting ?? 0,
      ...counts,
    },
    quotas,
    { bytes: columns.announced_bytes, now, confirmedNow },
  );
}

function* write({ columns, manifest, options: { now, idempotency } }: PackageInsert): Work<void> {
  const { package_id, device_id, app_id } = columns;
  const values: Values = { ...columns };
  yield* tell(
    INSERT(values),
    INSERT_MANIFEST({ package_id, manifest }),
    ANNOUNCE({ device_id, app_id, at: now }),
  );
  if (idempotency !== undefined) {
    const { key, bodyHash: body_hash, answer, endsAt: ends_at } = idempotency;
    yield* tell(KEEP_ANSWER({ device_id, app_id, package_id, key, body_hash, answer, ends_at }));
  }
  const counts = new CountChanges();
  counts.add(device_id, { ...columns, counts: 1, partial_bytes: 0 });
  yield* counts.write();
}

/** Reads the counters by which an announcement would be judged (rule A4). */
export function* readUsage(
  { deviceId, appId }: { readonly deviceId: string; readonly appId: string },
  asked: UsageAsked,
): Work<Usage> {
  const { row, counts } = yield* readCounts({ deviceId, ...asked });
  const [hour] = yield* ask(HOUR({ device_id: deviceId, app_id: appId, now: asked.now }));
  return {
    ...counts,
    waitingPackages: row.device_waiting ?? 0,
    announcements: hour?.announcements ?? 0,
    firstAnnouncedAt: hour?.first_at ?? null,
  };
}

/** Returns the unexpired answer stored for a key of (device, app id). */
export function* findIdempotent(
  { deviceId, appId }: { readonly deviceId: string; readonly appId: string },
  key: string,
  now: number,
): Work<IdempotentAnswer | undefined> {
  const [row] = yield* ask(ANSWER({ device_id: deviceId, app_id: appId, key }));
  const answer = row && answerOf(row);
  return answer !== undefined && answer.endsAt > now ? answer : undefined;
}
