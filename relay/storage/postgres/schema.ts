import { LIMITS_SCHEMA } from "./limits-schema.ts";
import { OUTBOX_SCHEMA } from "./outbox-schema.ts";
import { PROCESSES_SCHEMA } from "./processes-schema.ts";
import { RECORDS } from "./records-schema.ts";

/**
 * The database's migrations, oldest first. A published one never changes.
 *
 * Relays of this version and of the one before use the database at the same time, so a migration only adds: tables,
 * columns with a default, indexes (rule SC2). What it makes unnecessary is taken away one release later, by a migration
 * that ends with `raiseNeededSchema`.
 */
export const MIGRATIONS: readonly string[] = [
  RECORDS,
  OUTBOX_SCHEMA,
  LIMITS_SCHEMA,
  PROCESSES_SCHEMA,
];

/** The row of `upkeep` that says how many migrations a relay must know to use the database. */
export const NEEDED_SCHEMA = "needed_schema";

/**
 * Ends a migration that takes away what older relays use.
 * @param version the first number of migrations whose relay doesn't need that any more
 */
export function raiseNeededSchema(version: number): string {
  return `INSERT INTO upkeep (name, value) VALUES ('${NEEDED_SCHEMA}', '${version}')
    ON CONFLICT (name) DO UPDATE SET value = excluded.value;`;
}
