/**
 * The row of `upkeep` that says which version of the schema a relay must know to use the database (rules K13, SC2).
 * Without it, newer versions have only added something.
 */
export const NEEDED_SCHEMA = "needed_schema";

/** The state of a database's schema. */
interface SchemaState {
  /** Number of migrations that were applied to it. */
  readonly version: number;
  /** The row of that name, or 0. */
  readonly needed: number;
  /** Number of migrations that this version of Soundferry knows. */
  readonly known: number;
}

/**
 * Judges whether this version of Soundferry can use a database as it is. It is `older` if it must be migrated first,
 * and `newer` if a newer version has removed something that this one needs. A newer one that only added something is
 * `current`.
 */
export function judgeSchema({ version, needed, known }: SchemaState): SchemaAge {
  if (version < known) return "older";
  return version === known || needed <= known ? "current" : "newer";
}
export type SchemaAge = "current" | "older" | "newer";

/**
 * Ends a migration that takes away what older relays use.
 * @param version the first version of the schema whose relay doesn't need that any more
 */
export function raiseNeededSchema(version: number): string {
  return `INSERT INTO upkeep (name, value) VALUES ('${NEEDED_SCHEMA}', '${version}')
    ON CONFLICT (name) DO UPDATE SET value = excluded.value;`;
}
