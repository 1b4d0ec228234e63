import { LIMITS_SCHEMA } from "./limits-schema.ts";
import { PROCESSES_SCHEMA } from "./processes-schema.ts";
import { RECORDS_SCHEMA } from "./records-schema.ts";

/**
 * The database's migrations, oldest first; the first one creates it. A released one never changes: a change of the
 * schema is one more.
 *
 * Relays of this version and of the one before use the database at the same time, so a migration only adds: tables,
 * columns with a default, indexes (rule SC2). What it makes unnecessary is taken away one release later, by a migration
 * that ends with `raiseNeededSchema`.
 */
export const MIGRATIONS: readonly string[] = [RECORDS_SCHEMA + PROCESSES_SCHEMA + LIMITS_SCHEMA];
