import { uploadedOf } from "../rows.ts";
import type { Transaction } from "./connections.ts";
import { COUNTED_COLUMNS, CountChanges, type CountedColumns } from "./counts.ts";
import { doomKeys, endPartials, type PartialRow } from "./key-moves.ts";
import { statement } from "./statement.ts";

export const DROPPED_COLUMNS = `package_id, device_id, uploaded, files_deleted, version, ${COUNTED_COLUMNS}`;

export interface DroppedRow extends CountedColumns {
  readonly package_id: string;
  readonly device_id: string;
  readonly uploaded: string;
  readonly files_deleted: number;
  readonly version: number;
}

const DELETE = statement(
  "delete_packages",
  "DELETE FROM packages WHERE package_id = ANY($1::text[])",
);

/**
 * Sends the removal of packages, with the doom of their keys and partials.
 * @param rows locked, as their devices are
 * @param partials of these packages
 * @returns the keys that this dooms
 */
export function dropPackages(
  tx: Transaction,
  rows: readonly DroppedRow[],
  partials: readonly PartialRow[],
): readonly string[] {
  if (rows.length === 0) return [];
  const keys = rows
    .filter((row) => row.files_deleted === 0)
    .flatMap((row) => Array.from(uploadedOf(row.uploaded).values()));
  const counts = new CountChanges();
  for (const row of rows) counts.remove(row.device_id, row);
  tx.send(DELETE, [rows.map((row) => row.package_id)]);
  doomKeys(tx, keys);
  endPartials(tx, partials);
  counts.write(tx);
  return [...keys, ...partials.map(({ key }) => key)];
}
