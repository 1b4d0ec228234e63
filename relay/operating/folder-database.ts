import { existsSync } from "node:fs";
import { join } from "node:path";
import { backup, DatabaseSync } from "node:sqlite";
import { isSqliteError } from "../storage/error-codes.ts";
import { requireOwnLog } from "../storage/sqlite/database-files.ts";
import { schemaAge } from "../storage/sqlite/migrations.ts";
import {
  BUSY_TIMEOUT_MS,
  DATABASE_FILE,
  openForReading,
  openForWriting,
} from "../storage/sqlite/open-database.ts";

/** Number of pages of a step: all, so that the copy is of one moment and a busy relay can't make it start over. */
const ALL_PAGES = 0x7f_ff_ff_ff;

/**
 * Opens a folder's database for reading, whether or not a relay uses it.
 * @throws {Error} a sentence if there is none, if its log belongs to another one, or if a newer Soundferry wrote it
 */
export function openReadOnly(folder: string): DatabaseSync {
  const path = join(folder, DATABASE_FILE);
  if (!existsSync(path)) {
    throw new Error(`There is no database at ${path}. Name the relay's folder with --data.`);
  }
  requireOwnLog(path, BUSY_TIMEOUT_MS);
  const database = openForReading(folder);
  if (schemaAge(database) !== "newer") return database;
  database.close();
  throw new Error(`A newer Soundferry wrote ${path}. Use that version.`);
}

/**
 * Copies the database of `from` to `to`, as of one moment, into one file that is whole.
 * @throws {Error} a sentence if the database is damaged
 */
export async function copyDatabase(from: string, to: string): Promise<DatabaseSync> {
  const path = join(to, DATABASE_FILE);
  {
    using source = openReadOnly(from);
    await backup(source, path, { rate: ALL_PAGES });
  }
  const copy = new DatabaseSync(path);
  try {
    copy.exec("PRAGMA journal_mode = DELETE");
    const [damage] = quickCheck(copy);
    if (damage === undefined) return copy;
    throw new Error(
      `The database in ${from} is damaged (${damage}). Keep your earlier backups, ` +
        "and see `soundferry relay check`.",
    );
  } catch (error) {
    copy.close();
    throw error;
  }
}

/** Length of one try, in which SQLite tries about each millisecond. */
const TRY_MS = 2;

/**
 * Merges the log of a folder's database into its file and empties it, so that nothing deleted stays on the disk. Waits
 * for a relay's reads and changes to end, and blocks the thread meanwhile.
 * @returns false if the time was over first, because a backup that copies the database can take longer, or if the disk
 * is full
 */
export function emptyLog(folder: string): boolean {
  using database = openForWriting(folder);
  database.exec(`PRAGMA busy_timeout = ${TRY_MS}`);
  const merge = database.prepare("PRAGMA wal_checkpoint(TRUNCATE)");
  const endsAt = performance.now() + BUSY_TIMEOUT_MS;
  try {
    while (merge.get()?.["busy"] !== 0) if (performance.now() > endsAt) return false;
    return true;
  } catch (error) {
    // What was asked for is done. A relay merges the log later.
    if (isSqliteError(error, "full")) return false;
    throw error;
  }
}

/** Opens a folder's database for reading. @throws {Error} a sentence if there is none, or another version wrote it */
export function openCurrent(folder: string): DatabaseSync {
  const database = openReadOnly(folder);
  if (schemaAge(database) === "current") return database;
  database.close();
  throw new Error(
    `An older Soundferry wrote the database in ${folder}. Start the relay once; that updates it.`,
  );
}

/** Returns the damage that SQLite finds. @throws {Error} a sentence if another version wrote the database */
export function damageOf(dataFolder: string): readonly string[] {
  try {
    using database = openCurrent(dataFolder);
    const damage = quickCheck(database);
    const orphans = database.prepare("PRAGMA foreign_key_check").all().length;
    return orphans === 0 ? damage : [...damage, `${orphans} rows refer to a missing row`];
  } catch (error) {
    if (!(error instanceof Error) || !isSqliteError(error, "damaged")) throw error;
    return [error.message];
  }
}

/** Returns the first damages of a database file that SQLite finds. */
function quickCheck(database: DatabaseSync): readonly string[] {
  const verdicts = database.prepare("PRAGMA quick_check(10)").all();
  return verdicts.map((row) => String(row["quick_check"])).filter((text) => text !== "ok");
}
