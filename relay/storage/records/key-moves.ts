import { CountChanges, COUNTED_COLUMNS, type CountedColumns } from "./counts.ts";
import { uploadedOf } from "./rows.ts";
import { ask, statement, tell, type Work } from "./statement.ts";

/** Takes pending keys, because a package gets them. Returns those that were pending. */
export const TAKE = statement(
  "take_pending",
  (sql) =>
    `DELETE FROM sound_keys
     WHERE ${sql.inOrder("sound_keys", "key", `${sql.among("key", ":keys")} AND state = 'pending'`)}
     RETURNING key`,
);
const DOOM = statement(
  "doom_keys",
  (sql) =>
    `INSERT INTO sound_keys (key, state, ends_at)
     SELECT value, 'doomed', 0 FROM ${sql.textsOf(":keys")} WHERE true ORDER BY value
     ON CONFLICT (key) DO UPDATE SET state = 'doomed'`,
);
/** Reads the partials of packages. */
export const PARTIALS = statement<PartialRow>(
  "partials_of_packages",
  (sql) =>
    `SELECT key, package_id, file, stored_bytes FROM partials WHERE ${sql.among("package_id", ":package_ids")}`,
);
const FORGET_PARTIALS = statement(
  "forget_partials",
  (sql) => `DELETE FROM partials WHERE ${sql.among("key", ":keys")}`,
);
const DELETE = statement(
  "delete_packages",
  (sql) => `DELETE FROM packages WHERE ${sql.among("package_id", ":package_ids")}`,
);

/** A pending key of a file that is sent in several calls. */
export interface PartialRow {
  readonly key: string;
  readonly package_id: string;
  readonly file: string;
  readonly stored_bytes: number;
}

/** Dooms keys. The caller has the locks of their packages. */
export function* doomKeys(keys: readonly string[]): Work<void> {
  if (keys.length > 0) yield* tell(DOOM({ keys: JSON.stringify(keys) }));
}

/** Ends partials and dooms their keys. */
export function* endPartials(partials: readonly Pick<PartialRow, "key">[]): Work<void> {
  const keys = partials.map(({ key }) => key);
  yield* doomKeys(keys);
  yield* forgetPartials(keys);
}

/** Ends partials, whose keys are doomed or part of a package. */
export function* forgetPartials(keys: readonly string[]): Work<void> {
  if (keys.length > 0) yield* tell(FORGET_PARTIALS({ keys }));
}

/** SQL column: 1 if a package has partials. */
export const PARTIALS_COLUMN = `CASE WHEN EXISTS
  (SELECT 1 FROM partials WHERE partials.package_id = packages.package_id) THEN 1 ELSE 0 END AS has_partials`;

/** The columns of packages that are removed, or whose files are deleted. */
export const DROPPED_COLUMNS = `package_id, device_id, uploaded, files_deleted, version,
  ${PARTIALS_COLUMN}, ${COUNTED_COLUMNS}`;

export interface DroppedRow extends CountedColumns {
  readonly package_id: string;
  readonly device_id: string;
  readonly uploaded: string;
  readonly files_deleted: number;
  readonly version: number;
  readonly has_partials: number;
}

/** Reads the partials of packages, if there are any. */
export function* partialsOf(
  rows: readonly Pick<DroppedRow, "package_id" | "has_partials">[],
): Work<readonly PartialRow[]> {
  const some = rows.filter((row) => row.has_partials === 1);
  if (some.length === 0) return [];
  return yield* ask(PARTIALS({ package_ids: some.map((row) => row.package_id) }));
}

/**
 * Removes packages, and dooms their keys and partials.
 * @param rows locked, like their devices
 * @returns the keys that this dooms
 */
export function* dropPackages(rows: readonly DroppedRow[]): Work<readonly string[]> {
  if (rows.length === 0) return [];
  const partials = yield* partialsOf(rows);
  const keys = rows
    .filter((row) => row.files_deleted === 0)
    .flatMap((row) => Array.from(uploadedOf(row.uploaded).values()));
  const counts = new CountChanges();
  for (const row of rows) counts.remove(row.device_id, row);
  yield* tell(DELETE({ package_ids: rows.map((row) => row.package_id) }));
  yield* doomKeys(keys);
  yield* endPartials(partials);
  yield* counts.write();
  return [...keys, ...partials.map(({ key }) => key)];
}
