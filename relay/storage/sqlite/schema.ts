import { COUNTERS_SCHEMA } from "./counters-schema.ts";
import { KEYS_SCHEMA } from "./keys-schema.ts";
import { RECORDS_SCHEMA } from "./records-schema.ts";
import { UPKEEP_SCHEMA } from "./upkeep-schema.ts";

/**
 * The database's migrations, oldest first; the first one creates it. A released one never changes: a change of the
 * schema is one more, and `user_version` counts those applied.
 *
 * A migration only adds: tables, indexes, columns with a default. What it makes unnecessary is taken away one release
 * later, by a migration that ends with `raiseNeededSchema`, so that the version before can use the database
 * (rule K13).
 */
export const MIGRATIONS: readonly string[] = [
  RECORDS_SCHEMA + KEYS_SCHEMA + COUNTERS_SCHEMA + UPKEEP_SCHEMA,
];
