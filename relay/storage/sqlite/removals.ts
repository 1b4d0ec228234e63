import type { DatabaseSync } from "node:sqlite";
import { isDiskFull, isSqliteError } from "../error-codes.ts";
import { appendRemovals, compactRemovals, type Removal } from "../removals-log.ts";
import { number, text } from "../records/rows.ts";

/** The table of noted removals. They wait there for their log (rule Z11). */
export const REMOVALS_SCHEMA = `
CREATE TABLE removals (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  at INTEGER NOT NULL,
  kind TEXT NOT NULL,
  id TEXT NOT NULL
) STRICT;`;

/**
 * Returns a function that moves the noted removals from the database to the log beside it, and flushes it, between
 * their commit and the answer (rule Z11). It also moves removals that a crash left there. A group without removals
 * costs one look at an empty table.
 * @param makeRoom called when the disk is full; returns true if it made room
 * @throws the error of the disk; the removals then stay in the database, and the next call tries again
 */
export function removalsAppender(
  database: DatabaseSync,
  folder: string,
  makeRoom: () => boolean = () => false,
): () => void {
  const noted = database.prepare("SELECT seq, at, kind, id FROM removals ORDER BY seq");
  const strike = database.prepare("DELETE FROM removals WHERE seq <= ?");
  return () => {
    const removals = noted.all().map((row): Removal => ({
      seq: number(row["seq"]),
      at: number(row["at"]),
      kind: text(row["kind"]),
      id: text(row["id"]),
    }));
    const last = removals.at(-1);
    if (last === undefined) return;
    try {
      appendRemovals(folder, removals);
    } catch (error) {
      // This retry is here because the group that noted them is committed and must not run again.
      if (!isDiskFull(error) || !makeRoom()) throw error;
      appendRemovals(folder, removals);
    }
    try {
      strike.run(last.seq);
    } catch (error) {
      // They are in the log. If they also stay here, they are appended once more, which does no harm.
      if (!isSqliteError(error, "busy") && !isSqliteError(error, "full")) throw error;
    }
  };
}

/** Drops removals of more than a year ago from the log, by the relay time that was kept: a wrong clock drops nothing. */
export function forgetOldRemovals(database: DatabaseSync, folder: string): void {
  const row = database.prepare("SELECT value FROM upkeep WHERE name = 'time'").get();
  if (row !== undefined) compactRemovals(folder, Number(row["value"]));
}
