import type { DatabaseSync } from "node:sqlite";
import { NEEDED_SCHEMA } from "../needed-schema.ts";
import { MIGRATIONS } from "./schema.ts";

/** The version of a database's schema: how many migrations were applied. 0 for an empty database. */
export function schemaVersion(database: DatabaseSync): number {
  return Number(database.prepare("PRAGMA user_version").get()?.["user_version"]);
}

/**
 * Brings an empty database or one of an earlier version to the newest schema. The caller holds the transaction, if
 * other processes may have the file open.
 */
export function applyMigrations(database: DatabaseSync, migrations = MIGRATIONS): void {
  for (const step of migrations.slice(schemaVersion(database))) database.exec(step);
  database.exec(`PRAGMA user_version = ${migrations.length}`);
}

/**
 * Whether this version of Soundferry can use a database as it is. It is `older` if it must be migrated first, and
 * `newer` if a newer version has taken away what this one needs. A newer one that only added something is `current`
 * (rule K13).
 */
export function schemaAge(
  database: DatabaseSync,
  migrations = MIGRATIONS,
): "current" | "older" | "newer" {
  const version = schemaVersion(database);
  if (version < migrations.length) return "older";
  const isUsable = version === migrations.length || neededSchema(database) <= migrations.length;
  return isUsable ? "current" : "newer";
}

/** NaN, which compares with nothing, in a database that isn't a relay's. */
function neededSchema(database: DatabaseSync): number {
  const hasUpkeep = database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'upkeep'").get();
  if (hasUpkeep === undefined) return Number.NaN;
  const row = database.prepare("SELECT value FROM upkeep WHERE name = ?").get(NEEDED_SCHEMA);
  return Number(row?.["value"] ?? 0);
}
