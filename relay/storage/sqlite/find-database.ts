import { DatabaseSync } from "node:sqlite";
import { pathToFileURL } from "node:url";
import type { FoundDatabase } from "../../domain/upkeep/judge-instance.ts";
import { text } from "../records/rows.ts";
import { requireOwnLog, sizeOf } from "./database-files.ts";
import { schemaVersion } from "./migrations.ts";
import { BUSY_TIMEOUT_MS, databasePathIn, hasDatabase, opening } from "./open-database.ts";
import { readState } from "../records/upkeep.ts";
import { StatementRunner } from "./statement-runner.ts";

/**
 * Reads what the database of a folder says of its instance, before anything changes or migrates it.
 * @returns undefined if there is none
 * @throws as `openForWriting`
 */
export function findDatabase(folder: string): FoundDatabase | undefined {
  if (!hasDatabase(folder)) return undefined;
  return opening(folder, (path) => {
    requireOwnLog(path, BUSY_TIMEOUT_MS);
    using reading = openAsItIs(path);
    // A start that ended before it created the tables leaves a database without any.
    return schemaVersion(reading) > 0 ? readStored(reading) : { hasServed: false };
  });
}

/**
 * Finds the keys of sounds whose packages have expired by the time that the database kept, while a full disk keeps it
 * from being opened for writing. Returns none if the database has a log, whose changes count too, or while a backup
 * is being made.
 */
export function findExpiredKeys(folder: string): readonly string[] {
  const path = databasePathIn(folder);
  if (!hasDatabase(folder) || hasLog(path)) return [];
  using reading = openAsItIs(path);
  if (schemaVersion(reading) === 0) return [];
  const expired = reading.prepare(
    `SELECT had.value ->> 1 AS key FROM packages, json_each(uploaded) AS had, upkeep
     WHERE files_deleted = 0 AND upkeep.name = 'time' AND files_end_at <= CAST(upkeep.value AS INTEGER)
       AND NOT EXISTS (SELECT 1 FROM deletion_holds WHERE ends_at > CAST(upkeep.value AS INTEGER))`,
  );
  return expired.all().map((row) => text(row["key"]));
}

/** Opens a database for reading. If it has no log, SQLite makes no files beside it. */
function openAsItIs(path: string): DatabaseSync {
  const url = pathToFileURL(path);
  if (!hasLog(path)) url.searchParams.set("immutable", "1");
  return new DatabaseSync(url, { readOnly: true, timeout: BUSY_TIMEOUT_MS });
}

function hasLog(path: string): boolean {
  return sizeOf(`${path}-wal`) > 0;
}

/** Reads what a database remembers of its instance. */
export function readStored(reading: DatabaseSync): FoundDatabase {
  return new StatementRunner(reading).run(readState());
}
