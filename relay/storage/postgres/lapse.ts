import { COUNTED_COLUMNS, CountChanges, type CountedColumns } from "./counts.ts";
import type { Connections, Transaction } from "./connections.ts";
import { LOCK_EXCLUSIVELY, LOCKS, TRY_DEVICES } from "./lock-order.ts";
import { statement } from "./statement.ts";

const BATCH = 500;
/** Any later end: JavaScript's largest whole number. */
const NO_END = Number.MAX_SAFE_INTEGER;

const FIND = statement(
  "find_lapsed",
  `SELECT package_id, device_id, ${COUNTED_COLUMNS} FROM packages
   WHERE room_held_until > 0 AND (room_held_until <= $1 OR room_held_until > $2)
   ORDER BY room_held_until LIMIT ${BATCH} FOR NO KEY UPDATE SKIP LOCKED`,
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

/**
 * Ends reservations that have lapsed, of all devices. Each costs that once (rule J4). What somebody else is changing is
 * passed over.
 */
export async function endLapsed(
  connections: Connections,
  provenNow: number,
  latestEnd = NO_END,
): Promise<void> {
  while ((await connections.transaction((tx) => endBatch(tx, provenNow, latestEnd))) === BATCH);
}

async function endBatch(tx: Transaction, provenNow: number, latestEnd: number): Promise<number> {
  tx.send(LOCK_EXCLUSIVELY, [LOCKS.lapse]);
  const found = await tx.query<LapsedRow>(FIND, [
    provenNow,
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
