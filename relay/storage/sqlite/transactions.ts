import type { DatabaseSync } from "node:sqlite";
import { isSqliteError } from "../error-codes.ts";

/**
 * Acts in a writing transaction, which is rolled back if that throws.
 * @param begin begins it; by default with the wait that the connection has
 */
export function inTransaction<Result>(
  database: DatabaseSync,
  act: () => Result,
  begin: () => void = () => database.exec("BEGIN IMMEDIATE"),
): Result {
  begin();
  try {
    const result = act();
    database.exec("COMMIT");
    return result;
  } finally {
    if (database.isTransaction) database.exec("ROLLBACK");
  }
}

/** How long one try lasts: SQLite tries about each millisecond within it. */
const TRY_MS = 2;

/**
 * Returns a function that begins a writing transaction, and waits for another connection's to end. SQLite's own
 * wait grows to 100 ms between two tries, so that it may miss all the gaps that a busy process leaves between
 * its commits. Throws SQLite's error once that has lasted for the busy timeout that the connection had; from now
 * on its own is a try's.
 * @param whileWaiting is called every few milliseconds, as the wait blocks the thread. It may read.
 */
export function patientBegin(database: DatabaseSync, whileWaiting: () => void): () => void {
  const begin = database.prepare("BEGIN IMMEDIATE");
  const timeoutMs = Number(database.prepare("PRAGMA busy_timeout").get()?.["timeout"]);
  database.exec(`PRAGMA busy_timeout = ${TRY_MS}`);
  return () => {
    const endsAt = performance.now() + timeoutMs;
    for (;;) {
      try {
        return void begin.run();
      } catch (error) {
        if (!isSqliteError(error, "busy") || performance.now() > endsAt) throw error;
        whileWaiting();
      }
    }
  };
}
