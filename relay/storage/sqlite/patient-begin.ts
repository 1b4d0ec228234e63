import type { DatabaseSync } from "node:sqlite";
import { BUSY_TIMEOUT_MS } from "./open-database.ts";

/** SQLite's error code for a lock that another connection holds. */
const SQLITE_BUSY = 5;

/** How long one try lasts: SQLite tries about each millisecond within it. */
const TRY_MS = 2;

/**
 * Returns a function that begins a writing transaction, and waits for another connection's to end. SQLite's own
 * wait grows to 100 ms between two tries, so that it may miss all the gaps that a busy process leaves between
 * its commits. Throws SQLite's error once that has lasted for `BUSY_TIMEOUT_MS`.
 * @param whileWaiting is called every few milliseconds, as the wait blocks the thread. It may read.
 */
export function patientBegin(database: DatabaseSync, whileWaiting: () => void): () => void {
  const begin = database.prepare("BEGIN IMMEDIATE");
  return () => {
    const endsAt = performance.now() + BUSY_TIMEOUT_MS;
    database.exec(`PRAGMA busy_timeout = ${TRY_MS}`);
    try {
      for (;;) {
        try {
          return void begin.run();
        } catch (error) {
          if (!isBusy(error) || performance.now() > endsAt) throw error;
          whileWaiting();
        }
      }
    } finally {
      database.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
    }
  };
}

/** Extended codes have the kind of error in their low byte. */
function isBusy(error: unknown): boolean {
  if (!(error instanceof Error) || !("errcode" in error)) return false;
  return (Number(error.errcode) & 0xff) === SQLITE_BUSY;
}
