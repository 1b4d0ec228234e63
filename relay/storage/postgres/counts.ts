import type { Transaction } from "./connections.ts";
import { ALL_ROOM } from "./lock-order.ts";
import { statement } from "./statement.ts";

/** The columns of a package that its device and its tiers count. */
export interface CountedColumns {
  readonly counts: number;
  readonly committed_at: number | null;
  readonly outcome: string | null;
  readonly announced_bytes: number;
  readonly missing_bytes: number;
  readonly partial_bytes: number;
  /** End of the held room; 0 without room. */
  readonly room_held_until: number;
  /** Address and networks of the held room, as JSON. */
  readonly room_tiers: string;
}

export const COUNTED_COLUMNS =
  "counts, committed_at, outcome, announced_bytes, missing_bytes, partial_bytes, room_held_until, room_tiers";

/**
 * Number of rows in which the relay's room is counted, so that nobody waits for another one's commit. Each session of
 * the database has a row by the number of its process. With rows picked at random, two of eight sessions met in one
 * every few changes.
 */
const SLOTS = 64;

const ADD = statement(
  "add_counts",
  `WITH of_devices AS (
     UPDATE device_counts AS counted SET waiting_packages = waiting_packages + added.waiting,
       stored_bytes = stored_bytes + added.stored, reserved_bytes = reserved_bytes + added.reserved
     FROM unnest($1::text[], $2::bigint[], $3::bigint[], $4::bigint[])
       AS added (device_id, waiting, stored, reserved)
     WHERE counted.device_id = added.device_id)
   INSERT INTO room_counts AS counted (tier, bytes)
   SELECT CASE tier WHEN '${ALL_ROOM}' THEN tier || pg_backend_pid() % ${SLOTS} ELSE tier END COLLATE "C" AS slot, bytes
   FROM unnest($5::text[], $6::bigint[]) AS added (tier, bytes) ORDER BY slot
   ON CONFLICT (tier) DO UPDATE SET bytes = counted.bytes + excluded.bytes`,
);

/**
 * The changes that a transaction makes to the counters that quotas compare (rule J4): the device's waiting packages,
 * stored and reserved bytes, and the reserved bytes of address, networks and all. The caller has the devices' locks,
 * and calls `write` as the last call that waits for locks.
 */
export class CountChanges {
  readonly #devices = new Map<string, { waiting: number; stored: number; reserved: number }>();
  readonly #tiers = new Map<string, number>();

  /** Counts a package that was inserted. */
  add(deviceId: string, columns: CountedColumns): void {
    this.#note(deviceId, columns, 1);
  }

  /** Stops counting a package that was removed. */
  remove(deviceId: string, columns: CountedColumns): void {
    this.#note(deviceId, columns, -1);
  }

  change(deviceId: string, before: CountedColumns, after: CountedColumns): void {
    this.remove(deviceId, before);
    this.add(deviceId, after);
  }

  /** Sends the changes, in the order of `lock-order.ts`. */
  write(tx: Transaction): void {
    const devices = [...this.#devices].filter(
      ([, { waiting, stored, reserved }]) => waiting !== 0 || stored !== 0 || reserved !== 0,
    );
    const tiers = [...this.#tiers].filter(([, bytes]) => bytes !== 0);
    const all = devices.reduce((sum, [, { reserved }]) => sum + reserved, 0);
    if (all !== 0) tiers.push([ALL_ROOM, all]);
    if (devices.length === 0 && tiers.length === 0) return;
    tx.send(ADD, [
      devices.map(([deviceId]) => deviceId),
      devices.map(([, { waiting }]) => waiting),
      devices.map(([, { stored }]) => stored),
      devices.map(([, { reserved }]) => reserved),
      tiers.map(([tier]) => tier),
      tiers.map(([, bytes]) => bytes),
    ]);
  }

  #note(deviceId: string, columns: CountedColumns, sign: 1 | -1): void {
    const { waiting, stored, reserved } = countsOf(columns);
    const known = this.#devices.get(deviceId) ?? { waiting: 0, stored: 0, reserved: 0 };
    known.waiting += sign * waiting;
    known.stored += sign * stored;
    known.reserved += sign * reserved;
    this.#devices.set(deviceId, known);
    if (reserved === 0) return;
    for (const tier of parseTiers(columns.room_tiers)) {
      this.#tiers.set(tier, (this.#tiers.get(tier) ?? 0) + sign * reserved);
    }
  }
}

/** Computes the counters of a package. Its partials are stored, unless it holds room, which is for them, too. */
function countsOf(columns: CountedColumns) {
  const holdsRoom = columns.room_held_until > 0;
  const isWaiting = columns.committed_at !== null && columns.outcome === null;
  return {
    waiting: columns.counts * (isWaiting ? 1 : 0),
    stored:
      columns.counts * (columns.announced_bytes - columns.missing_bytes) +
      (holdsRoom ? 0 : columns.partial_bytes),
    reserved: holdsRoom ? columns.missing_bytes : 0,
  };
}

function parseTiers(json: string): readonly string[] {
  const tiers: readonly string[] = JSON.parse(json);
  return tiers;
}

const END = statement(
  "stop_counting",
  `UPDATE packages SET counts = 0 WHERE device_id = $1 AND counts = 1 AND files_end_at <= $2
   RETURNING ${COUNTED_COLUMNS}`,
);
const RESTART = statement(
  "count_again",
  `UPDATE packages SET counts = 1
   WHERE device_id = $1 AND counts = 0 AND files_deleted = 0 AND files_end_at > $2
   RETURNING ${COUNTED_COLUMNS}`,
);

export interface EndedRow {
  readonly counts_ended: boolean;
  readonly lacks_some: boolean;
}

/**
 * SQL columns that tell whether packages of a device still count although they have ended, and whether some don't
 * count although they have not ended.
 */
export function endedColumns(device: string, confirmedNow: string): string {
  return `EXISTS (SELECT 1 FROM packages
      WHERE device_id = ${device} AND counts = 1 AND files_end_at <= ${confirmedNow}) AS counts_ended,
    EXISTS (SELECT 1 FROM packages WHERE device_id = ${device} AND counts = 0 AND files_deleted = 0
      AND files_end_at > ${confirmedNow}) AS lacks_some`;
}

/**
 * Stops counting a device's packages whose files are due for deletion, and counts those again that are no longer due
 * because the clock was set back (rule Z5). Each costs that once (rule J4). The caller has the device's lock.
 */
export async function recount(
  tx: Transaction,
  deviceId: string,
  confirmedNow: number,
): Promise<void> {
  const counts = new CountChanges();
  const [ended, restarted] = await Promise.all([
    tx.query<CountedColumns>(END, [deviceId, confirmedNow]),
    tx.query<CountedColumns>(RESTART, [deviceId, confirmedNow]),
  ]);
  for (const row of ended) counts.change(deviceId, { ...row, counts: 1 }, row);
  for (const row of restarted) counts.change(deviceId, { ...row, counts: 0 }, row);
  counts.write(tx);
}
