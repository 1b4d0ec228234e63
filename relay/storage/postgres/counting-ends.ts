import { COUNTED_COLUMNS, CountChanges, type CountedColumns } from "./counts.ts";
import type { Transaction } from "./connections.ts";
import { statement } from "./statement.ts";

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

/** SQL: whether packages of a device count that have ended, and whether some don't that have not. */
export function endedColumns(device: string, provenNow: string): string {
  return `EXISTS (SELECT 1 FROM packages
      WHERE device_id = ${device} AND counts = 1 AND files_end_at <= ${provenNow}) AS counts_ended,
    EXISTS (SELECT 1 FROM packages WHERE device_id = ${device} AND counts = 0 AND files_deleted = 0
      AND files_end_at > ${provenNow}) AS lacks_some`;
}

/**
 * Stops counting a device's packages whose files are due for deletion, and counts those again that are no longer
 * because the clock was set back (rule Z5). Each costs that once (rule J4). The caller has the device's lock.
 */
export async function recount(tx: Transaction, deviceId: string, provenNow: number): Promise<void> {
  const counts = new CountChanges();
  const [ended, restarted] = await Promise.all([
    tx.query<CountedColumns>(END, [deviceId, provenNow]),
    tx.query<CountedColumns>(RESTART, [deviceId, provenNow]),
  ]);
  for (const row of ended) counts.change(deviceId, { ...row, counts: 1 }, row);
  for (const row of restarted) counts.change(deviceId, { ...row, counts: 0 }, row);
  counts.write(tx);
}
