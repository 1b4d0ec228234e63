import { chmodSync, closeSync, fsyncSync, openSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { isSqliteError } from "../sqlite-error.ts";
import { MIGRATIONS } from "./schema.ts";

/** The database's file in the relay's data folder. */
const DATABASE_FILE = "relay.sqlite";

/** How long a connection waits for another one's lock, such as a backup's. */
export const BUSY_TIMEOUT_MS = 5000;

/**
 * Opens the database for writing, creates it if needed, and migrates it. Every commit is flushed to disk
 * before it is acknowledged (rule U7).
 * @throws if a newer relay wrote it, or if it is not a database
 */
export function openForWriting(folder: string): DatabaseSync {
  const path = join(folder, DATABASE_FILE);
  const database = new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS });
  try {
    chmodSync(path, 0o600);
    // On macOS a plain flush stops at the drive's cache; fullfsync does not. Elsewhere it has no effect.
    database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA fullfsync = ON");
    migrate(database);
    flushFolder(folder);
    return database;
  } catch (error) {
    database.close();
    if (!isSqliteError(error, "notADatabase")) throw error;
    const sentence = `${path} is not a database. Move it away, or give the relay another folder.`;
    throw new Error(sentence, { cause: error });
  }
}

/** Opens the database for reading, beside the writing connection. */
export function openForReading(folder: string): DatabaseSync {
  const path = join(folder, DATABASE_FILE);
  return new DatabaseSync(path, { readOnly: true, timeout: BUSY_TIMEOUT_MS });
}

/** In one transaction, so that of processes that open an old database at once only one migrates it. */
function migrate(database: DatabaseSync): void {
  if (stepsDone(database) === MIGRATIONS.length) return;
  database.exec("BEGIN IMMEDIATE");
  for (const step of MIGRATIONS.slice(stepsDone(database))) database.exec(step);
  database.exec(`PRAGMA user_version = ${MIGRATIONS.length}; COMMIT`);
}

/** @throws if a newer relay wrote the database */
function stepsDone(database: DatabaseSync): number {
  const done = Number(database.prepare("PRAGMA user_version").get()?.["user_version"]);
  if (done <= MIGRATIONS.length) return done;
  throw new Error(
    "This database was written by a newer Soundferry. Update the relay, or give it another folder.",
  );
}

function flushFolder(folder: string): void {
  if (process.platform === "win32") return;
  const handle = openSync(folder, "r");
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
