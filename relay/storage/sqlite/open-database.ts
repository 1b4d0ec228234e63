import { chmodSync, closeSync, fsyncSync, openSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { MIGRATIONS } from "./schema.ts";

/** The database's file in a relay's data folder. */
export const DATABASE_FILE = "relay.sqlite";

/** The database was written by a newer relay. */
export class DatabaseTooNewError extends Error {
  override readonly name = "DatabaseTooNewError";
}

/**
 * Opens the database for writing, makes it where there is none, and brings it up to date. Every commit
 * is flushed to the disk before it is acknowledged (rule U7).
 */
export function openForWriting(folder: string): DatabaseSync {
  const path = join(folder, DATABASE_FILE);
  const database = new DatabaseSync(path);
  chmodSync(path, 0o600);
  database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON");
  migrate(database);
  flushFolder(folder);
  return database;
}

/** Opens the database for reading beside the one that writes. */
export function openForReading(folder: string): DatabaseSync {
  const database = new DatabaseSync(join(folder, DATABASE_FILE), { readOnly: true });
  database.exec("PRAGMA busy_timeout = 5000");
  return database;
}

function migrate(database: DatabaseSync): void {
  const done = Number(database.prepare("PRAGMA user_version").get()?.["user_version"]);
  if (done > MIGRATIONS.length) {
    throw new DatabaseTooNewError(
      "This database was written by a newer Soundferry. Update the relay, or give it another folder.",
    );
  }
  for (const [index, step] of MIGRATIONS.entries()) {
    if (index < done) continue;
    database.exec(`BEGIN IMMEDIATE; ${step}; PRAGMA user_version = ${index + 1}; COMMIT`);
  }
}

function flushFolder(folder: string): void {
  if (process.platform === "win32") return;
  const handle = openSync(folder, "r");
  fsyncSync(handle);
  closeSync(handle);
}
