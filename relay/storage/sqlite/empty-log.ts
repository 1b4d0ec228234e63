import type { DatabaseSync } from "node:sqlite";

/**
 * Merges the write-ahead log into the database's file and empties it, so that nothing on the disk has what was deleted.
 * Waits for a relay's reads and changes to end, and blocks the thread meanwhile.
 * @returns whether that succeeded before the time was over; a backup that copies the database can take longer
 */
export function emptyLog(database: DatabaseSync, timeoutMs: number): boolean {
  const merge = database.prepare("PRAGMA wal_checkpoint(TRUNCATE)");
  const endsAt = performance.now() + timeoutMs;
  while (merge.get()?.["busy"] !== 0) if (performance.now() > endsAt) return false;
  return true;
}
