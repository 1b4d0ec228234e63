import type { ExpiredPackage } from "../../domain/ports.ts";
import type { Connections, Transaction } from "./connections.ts";
import { CountChanges } from "./counts.ts";
import { DROPPED_COLUMNS, type DroppedRow } from "./drop-packages.ts";
import { doomKeys, endPartials, readPartials } from "./key-moves.ts";
import { NO_ROOM } from "./lapse.ts";
import { TRY_DEVICES } from "./lock-order.ts";
import { packageNotices, sendNotices } from "./send-notices.ts";
import { statement } from "./statement.ts";
import { uploadedOf } from "../rows.ts";

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
 * Deletes the files of packages that are due, on record. Several processes share the work: what another one has locked
 * is passed over.
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
