import {
  chmodSync,
  closeSync,
  fsyncSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
} from "node:fs";
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { judgeSchema, NEEDED_SCHEMA, type SchemaAge } from "../records/needed-schema.ts";
import { SQLITE } from "../records/dialect.ts";
import { schemaFor } from "../records/tables.ts";
import { flushFolderSync } from "../../../program/flush-folder.ts";
import { REMOVALS_SCHEMA } from "./removals.ts";

/**
 * The database's migrations, oldest first; the first one creates it. A released migration never changes: a change of
 * the schema is one more, and `user_version` counts the applied ones.
 *
 * A migration only adds: tables, indexes, columns with a default. Anything that it makes unnecessary is removed one
 * release later, by a migration that ends with `raiseNeededSchema`, so that the version before can use the database
 * (rule K13).
 */
export const MIGRATIONS: readonly string[] = [schemaFor(SQLITE) + REMOVALS_SCHEMA];

/** The version of a database's schema, which is the number of applied migrations; 0 for an empty database. */
export function schemaVersion(database: DatabaseSync): number {
  return Number(database.prepare("PRAGMA user_version").get()?.["user_version"]);
}

/** Migrates a database to the newest schema. The caller holds the transaction if others have the file open. */
export function applyMigrations(database: DatabaseSync, migrations = MIGRATIONS): void {
  for (const step of migrations.slice(schemaVersion(database))) database.exec(step);
  database.exec(`PRAGMA user_version = ${migrations.length}`);
}

/** Judges whether this version of Soundferry can use a database as it is (rule K13). */
export function schemaAge(database: DatabaseSync, migrations = MIGRATIONS): SchemaAge {
  const version = schemaVersion(database);
  return judgeSchema({ version, needed: neededSchema(database), known: migrations.length });
}

/** Reads the needed version. Returns NaN, which compares with nothing, for a database that isn't a relay's. */
function neededSchema(database: DatabaseSync): number {
  const hasUpkeep = database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'upkeep'").get();
  if (hasUpkeep === undefined) return Number.NaN;
  const row = database.prepare("SELECT value FROM upkeep WHERE name = ?").get(NEEDED_SCHEMA);
  return Number(row?.["value"] ?? 0);
}

const KEPT = 2;
const COPY = /^relay\.sqlite\.before-(\d+)$/;

/**
 * Copies an old database before it is migrated to `version` (rule Z12): to `relay.sqlite.before-<version>`, durable
 * once it returns. The last two copies are kept.
 * @throws {Error} if it can't be copied; the message says what to do
 */
export function copyBeforeMigration(database: DatabaseSync, folder: string, version: number): void {
  const copy = join(folder, `relay.sqlite.before-${version}`);
  const part = `${copy}.part`;
  try {
    rmSync(part, { force: true });
    database.prepare("VACUUM INTO ?").run(part);
    chmodSync(part, 0o600);
    flushFile(part);
    renameSync(part, copy);
    flushFolderSync(folder);
  } catch (error) {
    rmSync(part, { force: true });
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(
      `The database must be updated, but it can't be copied to ${copy} first (${reason}). ` +
        "Nothing was changed. Free some space or check the folder's permissions, then start again.",
      { cause: error },
    );
  }
  for (const name of copiesIn(folder).slice(KEPT)) rmSync(join(folder, name));
}

/** Lists the copies, newest first. */
function copiesIn(folder: string): readonly string[] {
  return readdirSync(folder)
    .filter((name) => COPY.test(name))
    .toSorted((one, other) => versionOf(other) - versionOf(one));
}

function flushFile(path: string): void {
  const file = openSync(path, "r+");
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

function versionOf(copy: string): number {
  return Number(COPY.exec(copy)?.[1]);
}
