import type { RoomCounts, RoomRefusal } from "../../../core/quotas/judge-room.ts";
import type { ReceivedBytes, RoomOutcome, RoomQuotas } from "../../domain/ports.ts";
import { RECEIVED_COUNTS_MS } from "../both-databases.ts";
import type { Transaction } from "./connections.ts";
import { ALL_ROOM, LOCK_TIERS } from "./lock-order.ts";
import { statement } from "./statement.ts";

const RAISE_LATER = statement(
  "raise_received",
  "UPDATE received SET total = total + $2 WHERE address = $1 AND at > $3",
);
// If an earlier row was forgotten, the totals of the later rows still include it.
const ADD = statement(
  "add_received",
  `INSERT INTO received (address, bytes, at, total) SELECT $1, $2, $3, $2 + coalesce(
     (SELECT total FROM received WHERE address = $1 AND at <= $3 ORDER BY at DESC, seq DESC LIMIT 1),
     (SELECT total - bytes - $2 FROM received WHERE address = $1 AND at > $3 ORDER BY at, seq LIMIT 1),
     0)`,
);
const REACHING = statement(
  "received_reaching",
  "SELECT at FROM received WHERE address = $1 AND total >= $2 ORDER BY total, seq LIMIT 1",
);

/**
 * Adds the bytes that an address sent (rule L4) as running totals, so that nothing is summed. The row of an address
 * waits for the earlier one, by the address's lock.
 */
export function addReceived(tx: Transaction, { address, bytes, at }: ReceivedBytes): void {
  tx.send(LOCK_TIERS, [[address]]);
  tx.send(RAISE_LATER, [address, bytes, at]);
  tx.send(ADD, [address, bytes, at]);
}

/** SQL columns of an address's totals before its window and at its end, without rows a window in the future. */
function windowColumns(address: string, now: string): string {
  const inWindow = `FROM received WHERE address = ${address}
    AND at > ${now} - ${RECEIVED_COUNTS_MS} AND at < ${now} + ${RECEIVED_COUNTS_MS}`;
  return `coalesce((SELECT total - bytes ${inWindow} ORDER BY at, seq LIMIT 1), 0)::bigint AS window_start,
    (SELECT total ${inWindow} ORDER BY at DESC, seq DESC LIMIT 1) AS window_end`;
}

interface WindowRow {
  readonly window_start: number;
  /** Total at the end of the window; null if nothing came. */
  readonly window_end: number | null;
}

function receivedBytes({ window_start, window_end }: WindowRow): number {
  return (window_end ?? window_start) - window_start;
}

/** Finds the time at which the oldest `excessBytes` of the window are a day old; at most a day from now. */
async function windowFreeAt(
  tx: Pick<Transaction, "query">,
  row: WindowRow,
  { address, now, excessBytes }: { address: string; now: number; excessBytes: number },
): Promise<number> {
  // An excess beyond the window's content never becomes free. A day is the longest wait that is reported.
  if (excessBytes > receivedBytes(row)) return now + RECEIVED_COUNTS_MS;
  const [reaching] = await tx.query<{ at: number }>(REACHING, [
    address,
    row.window_start + excessBytes,
  ]);
  return (reaching?.at ?? now) + RECEIVED_COUNTS_MS;
}

/** The caller who asks for room, and the time. */
export interface RoomCaller {
  readonly deviceId: string;
  readonly address: string;
  readonly networks: readonly string[];
  readonly now: number;
  readonly confirmedNow: number;
}

export interface RoomRow extends WindowRow {
  /** Number of waiting packages; null if the device is gone. */
  readonly device_waiting: number | null;
  readonly device_stored: number | null;
  readonly device_reserved: number | null;
  /** Reserved bytes of the address, then of its networks. */
  readonly tier_bytes: readonly string[];
  readonly all_reserved: number;
}

/** SQL columns of the counters of a caller. Parameters: device, tiers (the address first), now. */
export function roomColumns(device: string, tiers: string, now: string): string {
  return `(SELECT waiting_packages FROM device_counts WHERE device_id = ${device}) AS device_waiting,
    (SELECT stored_bytes FROM device_counts WHERE device_id = ${device}) AS device_stored,
    (SELECT reserved_bytes FROM device_counts WHERE device_id = ${device}) AS device_reserved,
    ARRAY(SELECT coalesce((SELECT bytes FROM room_counts WHERE room_counts.tier = asked.tier), 0)::text
      FROM unnest(${tiers}::text[]) WITH ORDINALITY AS asked (tier, place) ORDER BY place) AS tier_bytes,
    (SELECT coalesce(sum(bytes), 0)::bigint FROM room_counts WHERE tier >= '${ALL_ROOM}') AS all_reserved,
    ${windowColumns(`${tiers}[1]`, now)}`;
}

/**
 * SQL column that tells whether some reservation has lapsed, or ends later than any can. It looks only at the first
 * and the last reservation: with EXISTS for any, PostgreSQL expects one among the first rows and reads the whole
 * table if there is none.
 */
export function lapsedColumn(confirmedNow: string, latestEnd: string): string {
  return `(coalesce(${held("ASC")} <= ${confirmedNow}, false)
    OR coalesce(${held("DESC")} > ${latestEnd}, false)) AS has_lapsed`;
}

function held(order: "ASC" | "DESC"): string {
  return `(SELECT room_held_until FROM packages WHERE room_held_until > 0 ORDER BY room_held_until ${order} LIMIT 1)`;
}

export function roomCountsOf(row: RoomRow): RoomCounts {
  const [ofAddress = 0, ...ofNetworks] = row.tier_bytes.map(Number);
  return {
    receivedBytes: receivedBytes(row),
    storedBytes: row.device_stored ?? 0,
    reservedOfDevice: row.device_reserved ?? 0,
    reservedOfAddress: ofAddress,
    reservedOfNetworks: ofNetworks,
    reservedBytes: row.all_reserved,
  };
}

/**
 * Sends the locks that make a judgment of room exact: of the address, and if the relay's room is known, of the
 * networks and of all. If it isn't known, nobody who announces waits for others.
 */
export function lockTiers(
  tx: Transaction,
  { address, networks }: Pick<RoomCaller, "address" | "networks">,
  { roomBytes, uncrowdedBytes }: RoomQuotas,
): void {
  const isLimited = roomBytes !== "unknown" && Number.isFinite(roomBytes);
  const canCrowd = isLimited || Number.isFinite(uncrowdedBytes);
  const tiers = [address, ...(canCrowd ? networks : []), ...(isLimited ? [ALL_ROOM] : [])];
  tx.send(LOCK_TIERS, [tiers]);
}

const next = (name: string, condition: string) =>
  statement(
    `next_lapse_${name}`,
    `SELECT room_held_until AS lapses FROM packages WHERE ${condition}room_held_until > 0
     ORDER BY room_held_until LIMIT 1`,
  );
const NEXT_LAPSES = {
  device: next("of_device", "device_id = $1 AND "),
  address: next("of_address", "room_address = $1 AND "),
  relay: next("of_all", ""),
};

/** Adds to a refusal the time at which trying again can help. */
export async function refuseRoom(
  tx: Transaction,
  refused: RoomRefusal,
  row: WindowRow,
  caller: RoomCaller,
): Promise<RoomOutcome> {
  const { address, now, deviceId } = caller;
  if (refused.kind === "address-limit") {
    const { excessBytes } = refused;
    const freeAt = await windowFreeAt(tx, row, { address, now, excessBytes });
    return { kind: "address-limit", freeAt };
  }
  if (refused.kind !== "uploads-unfinished") return { kind: refused.kind };
  const values = { device: [deviceId], address: [address], relay: [] };
  const [found] = await tx.query<{ lapses: number }>(NEXT_LAPSES[refused.of], values[refused.of]);
  return { kind: "uploads-unfinished", freeAt: found?.lapses ?? caller.confirmedNow };
}
