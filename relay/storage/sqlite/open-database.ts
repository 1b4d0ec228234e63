import { chmodSync, statfsSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { StoreFullError } from "../../domain/ports.ts";
import { isSqliteError } from "../error-codes.ts";
import { flushFolderSync } from "../../../program/flush-folder.ts";
import { named } from "../naming-trouble.ts";
import { releaseBallast } from "./ballast.ts";
import { requireOwnLog, sizeOf } from "./database-files.ts";
import {
  applyMigrations,
  copyBeforeMigration,
  MIGRATIONS,
  schemaAge,
  schemaVersion,
} from "./migrations.ts";

/** The database's file in the relay's data folder. */
export const DATABASE_FILE = "relay.sqlite";

/** The path of the database in a relay's data folder. */
export function databasePathIn(folder: string): string {
  return join(folder, DATABASE_FILE);
}

/** The settings that every commit's safety rests on, with the values that SQLite reads back. */
const SAFETY = { journal_mode: "wal", synchronous: 2, fullfsync: 1, locking_mode: "normal" };

/** Time for which a connection waits for another one's lock, such as a backup's. */
export const BUSY_TIMEOUT_MS = 5000;

/**
 * Opens the database for writing, creates it if needed, and migrates it. Every commit is flushed to disk before it is
 * acknowledged (rule U7). Releases the ballast if the disk is full (rule Z7).
 * @param migrations for tests: those of another version
 * @throws if a newer relay wrote it, if it isn't a database, if its write-ahead log belongs to another one, if the
 * disk has no room or fails, or if it can't be kept safely there; the message says what to do
 */
export function openForWriting(
  folder: string,
  busyTimeoutMs = BUSY_TIMEOUT_MS,
  migrations = MIGRATIONS,
): DatabaseSync {
  return opening(folder, () => openAndMigrate(folder, busyTimeoutMs, migrations));
}

/** Opens a database with a function that may throw SQLite's errors, and throws as `openForWriting` does. */
export function opening<Opened>(folder: string, open: (path: string) => Opened): Opened {
  const path = databasePathIn(folder);
  try {
    return withBallast(folder, () => open(path));
  } catch (error) {
    if (!isSqliteError(error, "notADatabase")) throw named(error, path);
    const sentence = `${path} is not a database. Restore a backup with \`soundferry relay restore\`, or give the relay another folder.`;
    throw new Error(sentence, { cause: error });
  }
}

/** Opens a database, and tries again after the ballast is released, if that may help. */
function withBallast<Opened>(folder: string, open: () => Opened): Opened {
  try {
    return open();
  } catch (error) {
    if (!mayBeFull(error)) throw error;
    if (releaseBallast(folder)) return open();
    const { bavail, blocks } = statfsSync(folder);
    if (blocks === 0 || bavail > 0) throw error;
    const sentence = `${folder}: The disk is full. Free some space, then start the relay again.`;
    throw new StoreFullError(sentence, { cause: error });
  }
}

/** Checks whether the disk may be full. SQLite doesn't say so when it can't create files. */
function mayBeFull(error: unknown): boolean {
  return (["full", "io", "cantOpen"] as const).some((kind) => isSqliteError(error, kind));
}

function openAndMigrate(
  folder: string,
  busyTimeoutMs: number,
  migrations: readonly string[],
): DatabaseSync {
  const path = databasePathIn(folder);
  let database: DatabaseSync | undefined;
  try {
    requireOwnLog(path, busyTimeoutMs);
    database = new DatabaseSync(path, { timeout: busyTimeoutMs });
    chmodSync(path, 0o600);
    // SQLite's temporary files would need room on another disk.
    database.exec("PRAGMA temp_store = MEMORY");
    // Deleted content is overwritten, not only forgotten (rule AD8).
    database.exec("PRAGMA secure_delete = ON");
    // On macOS a plain flush stops at the drive's cache; fullfsync does not. Elsewhere it has no effect.
    database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA fullfsync = ON");
    requireSafety(database, path);
    migrate(database, folder, migrations);
    flushFolderSync(folder);
    return database;
  } catch (error) {
    database?.close();
    throw error;
  }
}

/** Checks whether the folder has a database, even a damaged one. SQLite takes an empty file for a new database. */
export function hasDatabase(folder: string): boolean {
  return sizeOf(databasePathIn(folder)) > 0;
}

/**
 * Opens the database for reading, beside the writing connection. It has read something, so that SQLite counts it: as
 * long as it is open, another one that closes merges nothing.
 */
export function openForReading(folder: string, busyTimeoutMs = BUSY_TIMEOUT_MS): DatabaseSync {
  const path = databasePathIn(folder);
  const database = new DatabaseSync(path, { readOnly: true, timeout: busyTimeoutMs });
  try {
    database.exec("SELECT 1 FROM sqlite_schema");
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/**
 * Checks the settings.
 * @throws if SQLite didn't accept one. A file system without shared memory has no write-ahead log, for example.
 */
export function requireSafety(database: DatabaseSync, path: string): void {
  for (const [name, wanted] of Object.entries(SAFETY)) {
    const read = database.prepare(`PRAGMA ${name}`).get()?.[name];
    if (read === wanted) continue;
    throw new Error(
      `${path} can't be kept safely on this file system (SQLite's ${name} is ${String(read)}). ` +
        "Put the data folder (SOUNDFERRY_DATA) on a local disk.",
    );
  }
}

/** Migrates in one transaction, so that only one of several processes that open an old database at once migrates it. */
function migrate(database: DatabaseSync, folder: string, migrations: readonly string[]): void {
  if (!isOlder(database, folder, migrations)) return;
  database.exec("BEGIN IMMEDIATE");
  if (isOlder(database, folder, migrations)) {
    if (schemaVersion(database) > 0) {
      // A separate connection, because a transaction can't be copied. Nobody else copies or migrates meanwhile.
      using reading = openForReading(folder);
      copyBeforeMigration(reading, folder, migrations.length);
    }
    applyMigrations(database, migrations);
  }
  database.exec("COMMIT");
}

/**
 * Checks whether the database must be migrated.
 * @throws if a newer relay wrote the database, and this one can't use it (rule K13)
 */
function isOlder(database: DatabaseSync, folder: string, migrations: readonly string[]): boolean {
  const age = schemaAge(database, migrations);
  if (age !== "newer") return age === "older";
  throw new Error(
    `${databasePathIn(folder)} was written by a newer Soundferry. Update the relay, or give it another folder.`,
  );
}
