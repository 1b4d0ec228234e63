import type { DatabaseSync } from "node:sqlite";
import { NEEDED_SCHEMA } from "./add-compatibility.ts";
import { MIGRATIONS } from "./schema.ts";

/** How many migrations a database has had. */
export function migrationsDone(database: DatabaseSync): number {
  return Number(database.prepare("PRAGMA user_version").get()?.["user_version"]);
}

/**
 * Whether this version of Soundferry can use a database as it is. It is `older` if it must be migrated first, and
 * `newer` if a newer version has taken away what this one needs. A newer one that only added something is `current`
 * (rule K13).
 */
export function schemaAge(database: DatabaseSync): "current" | "older" | "newer" {
  const done = migrationsDone(database);
  if (done < MIGRATIONS.length) return "older";
  return done === MIGRATIONS.length || neededSchema(database) <= MIGRATIONS.length
    ? "current"
    : "newer";
}

/** NaN, which compares with nothing, if a newer database doesn't say. */
function neededSchema(database: DatabaseSync): number {
  const hasUpkeep = database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'upkeep'").get();
  if (hasUpkeep === undefined) return Number.NaN;
  const row = database.prepare("SELECT value FROM upkeep WHERE name = ?").get(NEEDED_SCHEMA);
  return Number(row?.["value"] ?? Number.NaN);
}
