import { accessSync, closeSync, constants, openSync } from "node:fs";
import { codeOf } from "./make-folder.ts";

// Live's `require` may know only modules without `node:`.
const { DatabaseSync } = process.getBuiltinModule("node:sqlite");

/** SQLITE_BUSY, in the low byte of a result code: another process has the lock. */
const BUSY = 5;

/**
 * Longest wait for the lock. SQLite takes it in steps, so that two processes at the same moment would refuse each other: one
 * has to wait until the other has let go.
 */
const WAIT_MS = 100;

/** A connection that nothing refers to is closed with the next garbage collection, and its lock released. */
const held = new Set<Disposable>();

/**
 * Holds a lock by means of SQLite's lock on an empty file, which needs no links. The operating system releases it however
 * the process ends, so no stale lock is left. Until then only its disposal releases it.
 * @returns undefined while another process holds it
 * @throws {Error} of the file system, or of SQLite
 */
export function lockFile(path: string): Disposable | undefined {
  create(path);
  const database = new DatabaseSync(path);
  try {
    // A journal file would need room, and nothing is ever written.
    database.exec(
      `PRAGMA busy_timeout = ${WAIT_MS}; PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE`,
    );
  } catch (error) {
    database.close();
    if (resultOf(error) !== BUSY) throw error;
    return undefined;
  }
  held.add(database);
  return {
    [Symbol.dispose]() {
      held.delete(database);
      database[Symbol.dispose]();
    },
  };
}

/**
 * Creates the file for its user alone. One that exists isn't opened: to close it would release the lock that this process
 * may have on it.
 */
function create(path: string): void {
  try {
    closeSync(openSync(path, "wx", 0o600));
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw error;
    // SQLite has no words for a read-only disk.
    accessSync(path, constants.R_OK | constants.W_OK);
  }
}

function resultOf(error: unknown): number {
  return error instanceof Error && "errcode" in error ? Number(error.errcode) & 0xff : 0;
}
