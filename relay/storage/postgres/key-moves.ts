import { uploadedOf } from "../rows.ts";
import type { Transaction } from "./connections.ts";
import { CountChanges, COUNTED_COLUMNS, type CountedColumns } from "./counts.ts";
import { statement } from "./statement.ts";

const TAKE = statement(
  "take_pending",
  `DELETE FROM sound_keys WHERE key IN (
     SELECT key FROM sound_keys WHERE key = ANY($1::text[]) AND state = 'pending'
     ORDER BY key FOR UPDATE)
   RETURNING key`,
);
const DOOM = statement(
  "doom_keys",
  `INSERT INTO sound_keys (key, state, ends_at)
   SELECT key, 'doomed', 0 FROM unnest($1::text[]) AS key ORDER BY key COLLATE "C"
   ON CONFLICT (key) DO UPDATE SET state = 'doomed'`,
);
const PARTIALS = statement(
  "partials_of_packages",
  `SELECT key, package_id, file, stored_bytes FROM partials WHERE package_id = ANY($1::text[])`,
);
const FORGET_PARTIALS = statement(
  "forget_partials",
  "DELETE FROM partials WHERE key = ANY($1::text[])",
);

/** A pending key of a file that is sent in several calls. */
export interface PartialRow {
  readonly key: string;
  readonly package_id: string;
  readonly file: string;
  readonly stored_bytes: number;
}

/** Takes pending keys into a package. Returns false if one isn't pending; the caller then rolls back. */
export async function takePending(tx: Transaction, keys: readonly string[]): Promise<boolean> {
  if (keys.length === 0) return true;
  return (await tx.query(TAKE, [keys])).length === new Set(keys).size;
}

/** Sends the statement that dooms keys. The caller has the locks of their packages. */
export function doomKeys(tx: Transaction, keys: readonly string[]): void {
  if (keys.length > 0) tx.send(DOOM, [keys]);
}

export function readPartials(
  tx: Transaction,
  packageIds: readonly string[],
): Promise<readonly PartialRow[]> {
  return tx.query<PartialRow>(PARTIALS, [packageIds]);
}

/** Sends the statements that end partials. @param taken keys that a package has now; the others are doomed */
export function endPartials(
  tx: Transaction,
  partials: readonly PartialRow[],
  taken: ReadonlySet<string> = new Set(),
): void {
  if (partials.length === 0) return;
  const keys = partials.map(({ key }) => key);
  doomKeys(
    tx,
    keys.filter((key) => !taken.has(key)),
  );
  tx.send(FORGET_PARTIALS, [keys]);
}

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
 * Sends the statements that remove packages and doom their keys and partials.
 * @param rows locked, like their devices
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
