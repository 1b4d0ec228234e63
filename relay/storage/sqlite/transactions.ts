import type { DatabaseSync } from "node:sqlite";
import { isSqliteError } from "../error-codes.ts";

/**
 * Acts in a writing transaction, which is rolled back if `act` throws.
 * @param begin begins the transaction; by default with the connection's own wait
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

/** Length of one try, in which SQLite tries about each millisecond. */
const TRY_MS = 2;

/**
 * Returns a function that begins a writing transaction, and waits for another connection's to end. SQLite's own wait
 * grows to 100 ms between two tries, so it may miss all the gaps that a busy process leaves between its commits. The
 * function throws SQLite's error after the busy timeout that the connection had; the connection's own timeout is then
 * the length of one try.
 * @param whileWaiting called every few milliseconds, because the wait blocks the thread. It may read.
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
