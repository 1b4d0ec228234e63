import { quarantinedOf } from "../../domain/ports.ts";
import { countChanges, COUNTED_COLUMNS, type CountedRow } from "./counts.ts";
import { keysIn, type RowOf } from "./rows.ts";
import { ask, statement, tell, type Work } from "./statement.ts";

/** Takes pending keys, because a package gets them. Returns those that were pending. */
export const TAKE = statement(
  "take_pending",
  (sql) =>
    `DELETE FROM sound_keys
     WHERE ${sql.inOrder("sound_keys", "key", "key IN (:...keys) AND state = 'pending'")}
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
export const PARTIALS = statement<RowOf<"partials">>(
  "partials_of_packages",
  "SELECT * FROM partials WHERE package_id IN (:...packageIds)",
);
const FORGET_PARTIALS = statement(
  "forget_partials",
  "DELETE FROM partials WHERE key IN (:...keys)",
);
const DELETE = statement(
  "delete_packages",
  "DELETE FROM packages WHERE package_id IN (:...packageIds)",
);

/** The columns of a package that its changes read. */
export type StoredRow = CountedRow &
  RowOf<"packages", "uploaded" | "arrived" | "files_deleted" | "version"> & {
    readonly has_partials: number;
  };

/**
 * Defines a statement that locks packages, and reads what a change of them needs.
 * @param which condition, order and lock
 */
export function lockPackages(name: string, which: string) {
  return statement<StoredRow>(
    name,
    `SELECT ${COUNTED_COLUMNS}, uploaded, arrived, files_deleted, version, CASE WHEN EXISTS
       (SELECT 1 FROM partials WHERE partials.package_id = packages.package_id)
       THEN 1 ELSE 0 END AS has_partials
     FROM packages WHERE ${which}`,
  );
}

/** Dooms keys. The caller has the locks of their packages. */
export function* doomKeys(keys: readonly string[]): Work<void> {
  if (keys.length > 0) yield* tell(DOOM({ keys: JSON.stringify(keys) }));
}

/** Ends partials and dooms their keys. */
export function* endPartials(partials: readonly RowOf<"partials", "key">[]): Work<void> {
  const keys = partials.map(({ key }) => key);
  yield* doomKeys(keys);
  yield* forgetPartials(keys);
}

/** Ends partials, whose keys are doomed or part of a package. */
export function* forgetPartials(keys: readonly string[]): Work<void> {
  if (keys.length > 0) yield* tell(FORGET_PARTIALS({ keys }));
}

/** Reads the partials of packages, if there are any. */
export function* partialsOf(rows: readonly StoredRow[]): Work<readonly RowOf<"partials">[]> {
  const packageIds = rows.filter((row) => row.has_partials === 1).map((row) => row.package_id);
  return packageIds.length === 0 ? [] : yield* ask(PARTIALS({ packageIds }));
}

/**
 * Removes packages, and dooms their keys and partials, and what the quarantine has of them.
 * @param rows locked, like their devices
 * @param keepsQuarantined leaves the quarantine alone
 * @returns the keys that this dooms
 */
export function* dropPackages(
  rows: readonly StoredRow[],
  { keepsQuarantined = false }: { readonly keepsQuarantined?: boolean } = {},
): Work<readonly string[]> {
  if (rows.length === 0) return [];
  const partials = yield* partialsOf(rows);
  const keys = rows.flatMap((row) => [...keysIn(row)]);
  if (!keepsQuarantined) keys.push(...rows.map((row) => quarantinedOf(row.package_id)));
  yield* tell(DELETE({ packageIds: rows.map((row) => row.package_id) }));
  yield* doomKeys(keys);
  yield* endPartials(partials);
  yield* countChanges(rows.map((before) => ({ before })));
  return [...keys, ...partials.map(({ key }) => key)];
}
