import { closeSync, existsSync, openSync, readSync, statSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { isSqliteError } from "../sqlite-error.ts";

/** How often it looks again while another process merges the log. */
const MAX_TRIES = 100;

/**
 * Makes sure that a write-ahead log, such as a crash leaves, belongs to the database's file, before SQLite merges
 * the two (rule Z8): beside another copy of the file, merging would destroy both. Changes neither. `DatabaseGuard`
 * writes a number into each new log, one more than the file's, that a merge brings into the file.
 * @throws {Error} a sentence that says what to do
 */
export function requireOwnLog(path: string, busyTimeoutMs: number): void {
  const log = `${path}-wal`;
  if (sizeOf(log) === 0) return;
  if (sizeOf(path) === 0) {
    throw new Error(
      `${log} has the newest changes of a database that is missing. ` +
        `Put back its ${path}, or move the log elsewhere: its changes are then lost. Nothing was changed.`,
    );
  }
  using reading = new DatabaseSync(path, { readOnly: true, timeout: busyTimeoutMs });
  if (hasItsNumber(reading, path) && isSound(reading)) return;
  throw new Error(
    `${log} doesn't belong to ${path}, or one of them is damaged. If an older copy of the database was put there, ` +
      `put back the newer one. To use that copy, move ${log} and ${path}-shm elsewhere: ` +
      "their changes are then lost. Or restore a backup with `soundferry relay restore`. Nothing was changed.",
  );
}

/** Whether the log was begun on this file, or is partly merged into it. A log that no relay has written to yet has no number. */
function hasItsNumber(reading: DatabaseSync, path: string): boolean {
  for (let tries = 1; ; tries += 1) {
    const before = numberOfFile(path);
    const seen = Number(reading.prepare("PRAGMA application_id").get()?.["application_id"]);
    if (seen === before || seen === before + 1) return true;
    if (numberOfFile(path) === before || tries === MAX_TRIES) return false;
  }
}

/** Whether file and log together are a database. */
function isSound(reading: DatabaseSync): boolean {
  try {
    return reading.prepare("PRAGMA quick_check(1)").get()?.["quick_check"] === "ok";
  } catch (error) {
    if (!isSqliteError(error, "damaged")) throw error;
    return false;
  }
}

/** The application id in the header of the file, without its log. */
function numberOfFile(path: string): number {
  const file = openSync(path, "r");
  try {
    const number = Buffer.alloc(4);
    readSync(file, number, 0, 4, 68);
    return number.readInt32BE();
  } finally {
    closeSync(file);
  }
}

function sizeOf(path: string): number {
  return existsSync(path) ? statSync(path).size : 0;
}
