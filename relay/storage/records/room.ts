import type { RoomCounts, RoomRefusal } from "../../../core/quotas/judge-room.ts";
import type { AppUse, Filler } from "../../../core/quotas/room-shares.ts";
import type { FullOf, HeldRoom, RoomOutcome, RoomQuotas } from "../../domain/ports.ts";
import { ALL_ROOM, countChanges, COUNTED_COLUMNS, type CountedRow, tiersOf } from "./counts.ts";
import { LOCK_TIERS } from "./locks.ts";
import { receivedBytes, WINDOW_COLUMNS, windowFreeAt, type WindowRow } from "./received.ts";
import type { RowOf } from "./rows.ts";
import { ask, askAll, type Bound, statement, tell, type Work } from "./statement.ts";

/** The caller who asks for room, and the time. */
export interface RoomCaller {
  readonly deviceId: string;
  readonly appId: string;
  readonly address: string;
  readonly networks: readonly string[];
  readonly now: number;
  readonly confirmedNow: number;
}

interface CountsRow extends WindowRow {
  readonly all_reserved: number;
}

export interface JudgedRow extends CountsRow {
  /** 1 if packages of the device still count although they have ended. */
  readonly counts_ended: number;
  /** 1 if some don't count although they have not ended. */
  readonly lacks_some: number;
  /** 1 if a reservation has lapsed, or ends later than any can. */
  readonly has_lapsed: number;
}

const COUNTS = `(SELECT CAST(coalesce(sum(bytes), 0) AS bigint) FROM room_counts WHERE tier >= '${ALL_ROOM}') AS all_reserved,
  ${WINDOW_COLUMNS}`;

const flag = (condition: string) => `CASE WHEN ${condition} THEN 1 ELSE 0 END`;
/** The first or last end of a reservation. With EXISTS for any, PostgreSQL reads the whole table if there is none. */
const held = (order: "ASC" | "DESC") =>
  `(SELECT room_held_until FROM packages WHERE room_held_until > 0
    ORDER BY room_held_until ${order} LIMIT 1)`;

const READ_COUNTS = statement<CountsRow>("read_counts", `SELECT ${COUNTS}`);
/**
 * SQL columns of everything that a judgment of room needs, but for the tiers. Parameters: `:deviceId`, `:address`, `:now`,
 * `:confirmedNow`, `:latestEnd`.
 */
export const JUDGED_COLUMNS = `${COUNTS},
  ${flag(`EXISTS (SELECT 1 FROM packages
    WHERE device_id = :deviceId AND counts = 1 AND files_end_at <= :confirmedNow)`)} AS counts_ended,
  ${flag(`EXISTS (SELECT 1 FROM packages WHERE device_id = :deviceId AND counts = 0
    AND files_deleted = 0 AND files_end_at > :confirmedNow)`)} AS lacks_some,
  ${flag(`${held("ASC")} <= :confirmedNow OR ${held("DESC")} > :latestEnd`)} AS has_lapsed`;

const READ_TIERS = statement<RowOf<"room_counts">>(
  "read_tiers",
  "SELECT tier, bytes FROM room_counts WHERE tier IN (:...tiers)",
);

const READ_APPS = statement<RowOf<"app_counts">>(
  "read_app_counts",
  `SELECT * FROM app_counts WHERE device_id = :deviceId
     AND waiting_packages + stored_bytes + reserved_bytes + spare_bytes > 0`,
);

const END = statement<CountedRow>(
  "stop_counting",
  `UPDATE packages SET counts = 0
   WHERE device_id = :deviceId AND counts = 1 AND files_end_at <= :confirmedNow
   RETURNING ${COUNTED_COLUMNS}`,
);
const RESTART = statement<CountedRow>(
  "count_again",
  `UPDATE packages SET counts = 1
   WHERE device_id = :deviceId AND counts = 0 AND files_deleted = 0 AND files_end_at > :confirmedNow
   RETURNING ${COUNTED_COLUMNS}`,
);

/** An outcome that may be a refusal. */
export interface Judged<Outcome> {
  readonly outcome: Outcome;
  /** True if lapsed reservations were counted, which may be the reason of the refusal. */
  readonly hasLapsed: boolean;
}

/** The counters of a caller. */
export interface Counted<Row> {
  readonly row: Row;
  readonly counts: RoomCounts & Pick<AppUse, "waitingPackages">;
}

/** The latest end that a reservation can have: JavaScript's largest whole number. */
const NO_END = Number.MAX_SAFE_INTEGER;

/** Limits an end to what a database can compare. */
export function finiteEnd(latestEnd = NO_END): number {
  return Math.min(latestEnd, NO_END);
}

/** Reads the counters that an announcement of this caller would be judged by. It changes nothing. */
export function* readCounts(caller: Omit<RoomCaller, "confirmedNow">): Work<Counted<CountsRow>> {
  return yield* counted(READ_COUNTS({ ...caller }), caller);
}

function* counted<Row extends CountsRow>(
  reading: Bound<Row>,
  { deviceId, appId, address, networks }: Omit<RoomCaller, "now" | "confirmedNow">,
): Work<Counted<Row>> {
  const [[row], tiers, apps] = yield* askAll(
    reading,
    READ_TIERS({ tiers: [address, ...networks] }),
    READ_APPS({ deviceId }),
  );
  if (row === undefined) throw new Error("The database counts nothing.");
  const bytesOf = (tier: string) => tiers.find((each) => each.tier === tier)?.bytes ?? 0;
  const uses = apps.map(useOf);
  const own = uses.find((use) => use.appId === appId);
  const counts = {
    receivedBytes: receivedBytes(row),
    waitingPackages: own?.waitingPackages ?? 0,
    storedBytes: own?.storedBytes ?? 0,
    reservedOfApp: own?.reservedBytes ?? 0,
    others: uses.filter((use) => use !== own),
    spareBytes: apps.reduce((sum, { spare_bytes: bytes }) => sum + bytes, 0),
    reservedOfAddress: bytesOf(address),
    reservedOfNetworks: networks.map(bytesOf),
    reservedBytes: row.all_reserved,
  };
  return { row, counts };
}

function useOf(row: RowOf<"app_counts">): AppUse {
  return {
    appId: row.app_id,
    storedBytes: row.stored_bytes,
    reservedBytes: row.reserved_bytes,
    waitingPackages: row.waiting_packages,
  };
}

/**
 * Judges a caller's counters, which must be exact when they refuse: packages of the device that have ended, or end later
 * again, are counted again then (rule J4). The caller has the device's lock.
 * @param reading a statement with `JUDGED_COLUMNS`
 * @param judge returns a refusal; undefined if the counters admit the caller
 */
export function* judgeCounts<Row extends JudgedRow, Refusal>(
  caller: RoomCaller,
  { reading, quotas }: { readonly reading: Bound<Row>; readonly quotas: RoomQuotas },
  judge: (counted: Counted<Row>) => Refusal | undefined,
): Work<{ readonly row: Row; readonly refused: Refusal | undefined }> {
  yield* lockTiers(caller, quotas);
  const first = yield* counted(reading, caller);
  const refused = judge(first);
  const { lacks_some: lacksSome, counts_ended: countsEnded } = first.row;
  if (lacksSome === 0 && (countsEnded === 0 || refused === undefined)) {
    return { row: first.row, refused };
  }
  yield* recount(caller.deviceId, caller.confirmedNow);
  const again = yield* counted(reading, caller);
  return { row: again.row, refused: judge(again) };
}

/**
 * Stops counting a device's packages whose files are due for deletion, and counts those again that are no longer due
 * because the clock was set back (rule Z5). Each costs that once (rule J4).
 */
function* recount(deviceId: string, confirmedNow: number): Work<void> {
  const values = { deviceId, confirmedNow };
  const [ended, restarted] = yield* askAll(END(values), RESTART(values));
  yield* countChanges([
    ...ended.map((after) => ({ before: { ...after, counts: 1 }, after })),
    ...restarted.map((after) => ({ before: { ...after, counts: 0 }, after })),
  ]);
}

/**
 * Locks what makes a judgment of room exact: the address, and if the relay's room is known, the networks and all. If it
 * isn't known, nobody who announces waits for others.
 */
function* lockTiers(
  { address, networks }: Pick<RoomCaller, "address" | "networks">,
  { roomBytes, uncrowdedBytes }: RoomQuotas,
): Work<void> {
  const isLimited = roomBytes !== "unknown" && Number.isFinite(roomBytes);
  const canCrowd = isLimited || Number.isFinite(uncrowdedBytes);
  const tiers = [address, ...(canCrowd ? networks : []), ...(isLimited ? [ALL_ROOM] : [])];
  yield* tell(LOCK_TIERS({ tiers }));
}

const next = (name: string, condition: string) =>
  statement<{ readonly lapses: number }>(
    `next_lapse_${name}`,
    `SELECT room_held_until AS lapses FROM packages WHERE ${condition}room_held_until > 0
     ORDER BY room_held_until LIMIT 1`,
  );
const NEXT_LAPSES = {
  app: next("of_app", "device_id = :deviceId AND app_id = :appId AND "),
  device: next("of_device", "device_id = :deviceId AND "),
  address: next("of_address", "room_address = :address AND "),
  relay: next("of_all", ""),
};

const nextEnd = (name: string, condition: string) =>
  statement<RowOf<"packages", "app_name" | "files_end_at">>(
    `next_end_${name}`,
    `SELECT app_name, files_end_at FROM packages
     WHERE device_id = :deviceId AND app_id = :appId AND counts = 1 AND spare = 0 AND ${condition}
     ORDER BY files_end_at LIMIT 1`,
  );
const NEXT_ENDS = {
  bytes: nextEnd("of_bytes", "files_end_at > :confirmedNow"),
  waiting: nextEnd(
    "of_waiting",
    "files_end_at > :confirmedNow AND committed_at IS NOT NULL AND outcome IS NULL",
  ),
};

/** Finds the name of the app that fills a device's room, and when the next of its packages ends. */
export function* findFullOf(
  filler: Filler,
  what: keyof typeof NEXT_ENDS,
  caller: RoomCaller,
): Work<FullOf | null> {
  if (filler === "nobody") return null;
  const isCaller = filler === "caller";
  const appId = isCaller ? caller.appId : filler.appId;
  const { deviceId, confirmedNow } = caller;
  const [found] = yield* ask(NEXT_ENDS[what]({ deviceId, appId, confirmedNow }));
  return found ? { appName: found.app_name, isCaller, freeAt: found.files_end_at } : null;
}

/** Adds to a refusal the time at which trying again can help. */
export function* refuseRoom(
  refused: RoomRefusal,
  row: WindowRow,
  caller: RoomCaller,
): Work<RoomOutcome> {
  if (refused.kind === "address-limit") {
    const freeAt = yield* windowFreeAt(row, caller, refused.excessBytes);
    return { kind: "address-limit", freeAt };
  }
  const { kind, frees } = refused;
  const freeable = frees && { frees };
  if (kind === "no-room") return { kind, ...freeable };
  if (kind === "device-full") {
    return { kind, fullOf: yield* findFullOf(refused.of, "bytes", caller), ...freeable };
  }
  const [found] = yield* ask(NEXT_LAPSES[refused.of]({ ...caller }));
  return { kind, freeAt: found?.lapses ?? caller.confirmedNow, ...freeable };
}

/** The columns of a package without room. */
export const NO_ROOM = { room_held_until: 0, room_tiers: "[]" } as const;

/** Subtracts a package's own bytes from reserved room. Its partials are added to the stored bytes. */
export function withoutOwnRoom(
  counts: RoomCounts,
  own: CountedRow,
  { address, networks }: HeldRoom,
): RoomCounts {
  if (own.room_held_until === 0) return counts;
  const bytes = own.missing_bytes;
  const tiers = new Set(tiersOf(own.room_tiers));
  const ownOf = (tier: string) => (tiers.has(tier) ? bytes : 0);
  return {
    ...counts,
    storedBytes: counts.storedBytes + own.partial_bytes,
    reservedOfApp: counts.reservedOfApp - bytes,
    reservedOfAddress: counts.reservedOfAddress - ownOf(address),
    reservedOfNetworks: networks.map(
      (network, index) => (counts.reservedOfNetworks[index] ?? 0) - ownOf(network),
    ),
    reservedBytes: counts.reservedBytes - bytes,
  };
}
