/**
 * The row of `upkeep` that says which version of the schema a relay must know to use the database (rules K13, SC2).
 * Without it, newer versions have only added something.
 */
export const NEEDED_SCHEMA = "needed_schema";

/**
 * Ends a migration that takes away what older relays use.
 * @param version the first version of the schema whose relay doesn't need that any more
 */
export function raiseNeededSchema(version: number): string {
  return `INSERT INTO upkeep (name, value) VALUES ('${NEEDED_SCHEMA}', '${version}')
    ON CONFLICT (name) DO UPDATE SET value = excluded.value;`;
}
