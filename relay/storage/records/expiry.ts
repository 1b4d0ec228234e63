import type { ExpiredPackage, SparesAsked } from "../../domain/ports.ts";
import { change } from "./change.ts";
import { ALL_ROOM, countChanges, COUNTED_COLUMNS, type CountedRow } from "./counts.ts";
import { doomKeys, endPartials, lockPackages, partialsOf, type StoredRow } from "./key-moves.ts";
import { LOCK_DEVICE, LOCK_EXCLUSIVELY, LOCKS, TRY_DEVICES } from "./locks.ts";
import { packageNotices } from "./notices.ts";
import { RECEIVED_COUNTS_MS } from "./received.ts";
import { finiteEnd, NO_ROOM } from "./room.ts";
import { keysIn } from "./rows.ts";
import { ask, askAll, notify, statement, tell, type Work } from "./statement.ts";
import type { TableName } from "./tables.ts";

const LAPSE_BATCH = 500;
const SPARE_BATCH = 50;
/** The time for which the log of an operator's actions is kept (rule AD2). */
const OPERATOR_LOG_MS = 365 * 86_400_000;

/** The time for which a removed key is remembered (rule AD13). */
const REMOVED_KEY_MS = 365 * 86_400_000;

// One statement for both would read every reservation in SQLite.
const lapsed = (name: string, condition: string) =>
  statement<CountedRow>(
    `find_lapsed_${name}`,
    `SELECT ${COUNTED_COLUMNS} FROM packages
       WHERE room_held_until > 0 AND room_held_until ${condition}
       ORDER BY room_held_until LIMIT ${LAPSE_BATCH} FOR NO KEY UPDATE SKIP LOCKED`,
  );
const PAST = lapsed("past", "<= :confirmedNow");
const TOO_FAR_AHEAD = lapsed("ahead", "> :latestEnd");
const WITHOUT_ROOM = "room_held_until = 0, room_tiers = '[]', room_address = NULL";
const END_ROOM = statement(
  "end_room",
  `UPDATE packages SET ${WITHOUT_ROOM} WHERE package_id IN (:...packageIds)`,
);
const DUE = lockPackages(
  "find_expired",
  `files_deleted = 0 AND files_end_at <= :now ORDER BY files_end_at LIMIT 0 + :limit
   FOR NO KEY UPDATE SKIP LOCKED`,
);
const spares = (name: string, condition: string) =>
  lockPackages(
    `find_spares_${name}`,
    `${condition}spare = 1 AND files_deleted = 0 AND coalesce(lease_ends_at, 0) <= :now
     ORDER BY committed_at, place LIMIT ${SPARE_BATCH} FOR NO KEY UPDATE SKIP LOCKED`,
  );
const SPARES_OF_DEVICE = spares("of_device", "device_id = :deviceId AND ");
const SPARES_OF_ALL = spares("of_all", "");
const EXPIRE = statement(
  "expire_packages",
  `UPDATE packages SET files_deleted = 1, counts = 0, partial_bytes = 0, version = version + 1,
       ${WITHOUT_ROOM}
     WHERE package_id IN (:...packageIds)`,
);

export interface Lapse {
  readonly confirmedNow: number;
  /** A later end comes from a clock that was ahead, and counts as lapsed. */
  readonly latestEnd?: number | undefined;
}

/** Number of rows that PostgreSQL forgets at once. */
export const FORGET_BATCH = 5000;
/** @param keptMs the time for which rows are kept after the time that the condition compares with `:time` */
const forget = (table: TableName, condition: string, keptMs = 0) => ({
  keptMs,
  old: statement(
    `forget_old_${table}`,
    (sql) =>
      `DELETE FROM ${table} WHERE ${sql.someOf(table, condition, FORGET_BATCH)} RETURNING 1 AS forgotten`,
  ),
});
/** The condition of a row whose app holds nothing. */
const EMPTY = `waiting_packages = 0 AND stored_bytes = 0 AND reserved_bytes = 0 AND spare_bytes = 0
  AND CAST(:time AS bigint) > 0`;
const FORGET = {
  // They count for an hour, and the clocks of processes may differ.
  announcements: forget("announcements", "at <= :time", RECEIVED_COUNTS_MS),
  received: forget("received", "at <= :time", RECEIVED_COUNTS_MS),
  answers: forget("idempotency_keys", "ends_at <= :time"),
  codes: forget("pairing_codes", "expires_at <= :time"),
  requests: forget("pairing_requests", "expires_at <= :time"),
  claims: forget("repeatable_claims", "ends_at <= :time"),
  log: forget("operator_log", "at < :time", OPERATOR_LOG_MS),
  apps: forget("app_counts", EMPTY),
  keys: forget("registration_keys", "removed_at < :time", REMOVED_KEY_MS),
  tiers: forget("room_counts", `tier < '${ALL_ROOM}' AND bytes = 0 AND CAST(:time AS bigint) > 0`),
} as const;

/** The kinds of rows that a sweep forgets. */
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- keys forgets the names; they are the object's own
export const FORGOTTEN = Object.keys(FORGET) as readonly (keyof typeof FORGET)[];

/** The changes of a sweep. Several processes share the work: each skips what another one has locked. */
export const EXPIRY_CHANGES = {
  endLapsed: change(endLapsed),
  expirePackages: change(expirePackages, { writes: "packages" }),
  dropSpares: change(dropSpares, { writes: "packages" }),
  forget: change(forgetOld, { isOne: true }),
};

/** Forgets some old rows of one kind. Returns their number. */
function* forgetOld({ what, now }: { what: keyof typeof FORGET; now: number }): Work<number> {
  const { old, keptMs } = FORGET[what];
  return (yield* ask(old({ time: now - keptMs }))).length;
}

/** Ends lapsed reservations of all devices, each once (rule J4). Returns true if there may be more. */
function* endLapsed({ confirmedNow, latestEnd }: Lapse): Work<boolean> {
  yield* tell(LOCK_EXCLUSIVELY({ lock: LOCKS.lapse }));
  const ends = { confirmedNow, latestEnd: finiteEnd(latestEnd) };
  const [past, ahead] = yield* askAll(PAST(ends), TOO_FAR_AHEAD(ends));
  const onlyAhead = ahead.filter((row) => row.room_held_until > confirmedNow);
  const rows = yield* ofFreeDevices([...past, ...onlyAhead]);
  if (rows.length === 0) return false;
  yield* tell(END_ROOM({ packageIds: rows.map((row) => row.package_id) }));
  yield* countChanges(rows.map((before) => ({ before, after: { ...before, ...NO_ROOM } })));
  return rows.length >= LAPSE_BATCH;
}

/** Locks the devices of packages, and returns the packages of those that nobody else has locked. */
function* ofFreeDevices<Row extends CountedRow>(rows: readonly Row[]): Work<readonly Row[]> {
  if (rows.length === 0) return [];
  const devices = yield* ask(TRY_DEVICES({ deviceIds: rows.map((row) => row.device_id) }));
  const free = new Set(devices.map((row) => row.device_id));
  return rows.filter((row) => free.has(row.device_id));
}

/** Deletes the files of packages that are due, on record. */
function* expirePackages(asked: {
  readonly now: number;
  readonly limit: number;
}): Work<readonly ExpiredPackage[]> {
  return yield* deleteFiles(yield* ofFreeDevices(yield* ask(DUE(asked))));
}

/** Deletes the files of spare packages that no run holds, on record: the oldest ones, until they make the room. */
function* dropSpares({ deviceId, bytes, now }: SparesAsked): Work<readonly ExpiredPackage[]> {
  if (deviceId !== undefined) yield* tell(LOCK_DEVICE({ deviceId }));
  const found = yield* ask(
    deviceId === undefined ? SPARES_OF_ALL({ now }) : SPARES_OF_DEVICE({ deviceId, now }),
  );
  let lacks = bytes;
  const dropped = (yield* ofFreeDevices(found)).filter((row) => {
    const isNeeded = lacks > 0;
    lacks -= row.announced_bytes - row.missing_bytes;
    return isNeeded;
  });
  return yield* deleteFiles(dropped);
}

/** Deletes the files of locked packages, on record. */
function* deleteFiles(due: readonly StoredRow[]): Work<readonly ExpiredPackage[]> {
  if (due.length === 0) return [];
  const partials = yield* partialsOf(due);
  const expired = due.map((row) => ({
    packageId: row.package_id,
    deviceId: row.device_id,
    keys: [...keysIn(row)],
  }));
  yield* tell(EXPIRE({ packageIds: due.map((row) => row.package_id) }));
  yield* doomKeys(expired.flatMap(({ keys }) => keys));
  yield* endPartials(partials);
  const deleted = { counts: 0, partial_bytes: 0, ...NO_ROOM };
  yield* countChanges(due.map((before) => ({ before, after: { ...before, ...deleted } })));
  yield* notify(...due.flatMap(packageNotices));
  return expired;
}
