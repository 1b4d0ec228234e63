import type { ExpiredPackage } from "../../domain/ports.ts";
import { RECEIVED_COUNTS_MS } from "../both-databases.ts";
import { uploadedOf } from "../rows.ts";
import type { Connections, Transaction } from "./connections.ts";
import { CountChanges, COUNTED_COLUMNS, type CountedColumns } from "./counts.ts";
import {
  doomKeys,
  DROPPED_COLUMNS,
  type DroppedRow,
  endPartials,
  readPartials,
} from "./key-moves.ts";
import { ALL_ROOM, LOCK_EXCLUSIVELY, LOCKS, TRY_DEVICES } from "./lock-order.ts";
import { packageNotices, sendNotices } from "./notices.ts";
import { statement } from "./statement.ts";

const LAPSE_BATCH = 500;
/** The latest end: JavaScript's largest whole number. */
const NO_END = Number.MAX_SAFE_INTEGER;

const FIND = statement(
  "find_lapsed",
  `SELECT package_id, device_id, ${COUNTED_COLUMNS} FROM packages
   WHERE room_held_until > 0 AND (room_held_until <= $1 OR room_held_until > $2)
   ORDER BY room_held_until LIMIT ${LAPSE_BATCH} FOR NO KEY UPDATE SKIP LOCKED`,
);
const END = statement(
  "end_room",
  `UPDATE packages SET room_held_until = 0, room_tiers = '[]', room_address = NULL
   WHERE package_id = ANY($1::text[])`,
);

interface LapsedRow extends CountedColumns {
  readonly package_id: string;
  readonly device_id: string;
}

export const NO_ROOM = { room_held_until: 0, room_tiers: "[]" } as const;

/** Ends the lapsed reservations of all devices, each once (rule J4). Skips rows that are locked. */
export async function endLapsed(
  connections: Connections,
  confirmedNow: number,
  latestEnd = NO_END,
): Promise<void> {
  while (
    (await connections.transaction((tx) => endBatch(tx, confirmedNow, latestEnd))) === LAPSE_BATCH
  );
}

async function endBatch(tx: Transaction, confirmedNow: number, latestEnd: number): Promise<number> {
  tx.send(LOCK_EXCLUSIVELY, [LOCKS.lapse]);
  const found = await tx.query<LapsedRow>(FIND, [
    confirmedNow,
    Number.isFinite(latestEnd) ? latestEnd : NO_END,
  ]);
  if (found.length === 0) return 0;
  const devices = await tx.query<{ device_id: string }>(TRY_DEVICES, [
    found.map((row) => row.device_id),
  ]);
  const free = new Set(devices.map((row) => row.device_id));
  const lapsed = found.filter((row) => free.has(row.device_id));
  const counts = new CountChanges();
  for (const row of lapsed) counts.change(row.device_id, row, { ...row, ...NO_ROOM });
  tx.send(END, [lapsed.map((row) => row.package_id)]);
  counts.write(tx);
  return lapsed.length;
}

const DUE = statement(
  "find_expired",
  `SELECT ${DROPPED_COLUMNS} FROM packages WHERE files_deleted = 0 AND files_end_at <= $1
   ORDER BY files_end_at LIMIT $2 FOR NO KEY UPDATE SKIP LOCKED`,
);
const EXPIRE = statement(
  "expire_packages",
  `UPDATE packages SET files_deleted = 1, counts = 0, partial_bytes = 0, version = version + 1,
     room_held_until = 0, room_tiers = '[]', room_address = NULL
   WHERE package_id = ANY($1::text[])`,
);

/**
 * Returns a function that deletes the files of packages that are due, on record. Several processes share the work:
 * each skips what another one has locked.
 */
export function packageExpiry(connections: Connections) {
  return (now: number, limit: number): Promise<readonly ExpiredPackage[]> =>
    connections.transaction((tx) => expire(tx, now, limit));
}

async function expire(
  tx: Transaction,
  now: number,
  limit: number,
): Promise<readonly ExpiredPackage[]> {
  const found = await tx.query<DroppedRow>(DUE, [now, limit]);
  if (found.length === 0) return [];
  const [devices, partials] = await Promise.all([
    tx.query<{ device_id: string }>(TRY_DEVICES, [found.map((row) => row.device_id)]),
    readPartials(
      tx,
      found.map((row) => row.package_id),
    ),
  ]);
  const free = new Set(devices.map((row) => row.device_id));
  const due = found.filter((row) => free.has(row.device_id));
  const counts = new CountChanges();
  for (const row of due) {
    counts.change(row.device_id, row, { ...row, counts: 0, partial_bytes: 0, ...NO_ROOM });
  }
  const expired = due.map((row) => ({
    packageId: row.package_id,
    deviceId: row.device_id,
    keys: [...new Set(uploadedOf(row.uploaded).values())],
  }));
  tx.send(EXPIRE, [due.map((row) => row.package_id)]);
  const ids = new Set(due.map((row) => row.package_id));
  doomKeys(
    tx,
    expired.flatMap(({ keys }) => keys),
  );
  endPartials(
    tx,
    partials.filter((partial) => ids.has(partial.package_id)),
  );
  counts.write(tx);
  sendNotices(tx, expired.flatMap(packageNotices));
  return expired;
}

const DELETE_BATCH = 5000;
/** Time after which announcements are deleted. They count for an hour, and the clocks of processes may differ. */
const ANNOUNCEMENTS_MS = RECEIVED_COUNTS_MS;

const forget = (table: string, condition: string) =>
  statement(
    `forget_old_${table}`,
    `DELETE FROM ${table} WHERE ctid = ANY(ARRAY(
       SELECT ctid FROM ${table} WHERE ${condition} LIMIT ${DELETE_BATCH} FOR UPDATE SKIP LOCKED))
     RETURNING 1 AS forgotten`,
  );
const ANNOUNCEMENTS = forget("announcements", "at <= $1");
const RECEIVED = forget("received", "at <= $1");
const ANSWERS = forget("idempotency_keys", "ends_at <= $1");
const CODES = forget("pairing_codes", "expires_at <= $1");
const REQUESTS = forget("pairing_requests", "expires_at <= $1");
const CLAIMS = forget("repeatable_claims", "ends_at <= $1");
const TIERS = forget("room_counts", `tier < '${ALL_ROOM}' AND bytes = 0 AND $1::bigint > 0`);

/** Returns a function that deletes expired rows, a batch at a time. Several processes share the work. */
export function forgetOld(connections: Connections) {
  return async (now: number): Promise<void> => {
    const ends = [
      [ANNOUNCEMENTS, now - ANNOUNCEMENTS_MS],
      [RECEIVED, now - RECEIVED_COUNTS_MS],
      [ANSWERS, now],
      [CODES, now],
      [REQUESTS, now],
      [CLAIMS, now],
    ] as const;
    for (const [statement, time] of ends) {
      while ((await connections.write(statement, [time])).length === DELETE_BATCH);
    }
    await endLapsed(connections, now);
    await connections.write(TIERS, [now]);
  };
}
