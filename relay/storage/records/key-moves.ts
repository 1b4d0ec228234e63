import { CountChanges, COUNTED_COLUMNS, type CountedColumns } from "./counts.ts";
import { uploadedOf } from "./rows.ts";
import { ask, statement, tell, type Work } from "./statement.ts";

const TAKE = statement(
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

/** Takes pending keys into a package. Returns false if one isn't pending; the caller then undoes its change. */
export function* takePending(keys: readonly string[]): Work<boolean> {
  if (keys.length === 0) return true;
  return (yield* ask(TAKE({ keys }))).length === new Set(keys).size;
}

/** Dooms keys. The caller has the locks of their packages. */
export function* doomKeys(keys: readonly string[]): Work<void> {
  if (keys.length > 0) yield* tell(DOOM({ keys: JSON.stringify(keys) }));
}

/** Ends partials. @param taken keys that a package has now; the others are doomed */
export function* endPartials(
  partials: readonly Pick<PartialRow, "key">[],
  taken: ReadonlySet<string> = new Set(),
): Work<void> {
  if (partials.length === 0) return;
  const keys = partials.map(({ key }) => key);
  yield* doomKeys(keys.filter((key) => !taken.has(key)));
  yield* tell(FORGET_PARTIALS({ keys }));
}

/** SQL column: the number of a package's partials. */
export const PARTIALS_COLUMN =
  "(SELECT count(*) FROM partials WHERE partials.package_id = packages.package_id) AS partials";

/** The columns of packages that are removed, or whose files are deleted. */
export const DROPPED_COLUMNS = `package_id, device_id, uploaded, files_deleted, version,
  ${PARTIALS_COLUMN}, ${COUNTED_COLUMNS}`;

export interface DroppedRow extends CountedColumns {
  readonly package_id: string;
  readonly device_id: string;
  readonly uploaded: string;
  readonly files_deleted: number;
  readonly version: number;
  readonly partials: number;
}

/** Reads the partials of packages, if there are any. */
export function* partialsOf(
  rows: readonly Pick<DroppedRow, "package_id" | "partials">[],
): Work<readonly PartialRow[]> {
  const some = rows.filter(({ partials }) => partials > 0);
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
