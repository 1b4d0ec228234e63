import type { DatabaseSync } from "node:sqlite";
import { isDiskFull } from "../error-code.ts";
import { isSqliteError } from "../sqlite-error.ts";
import { appendRemovals, compactRemovals, type Removal } from "../removals-log.ts";
import { number, text } from "../rows.ts";

/**
 * Returns a function that moves the removals that were noted in the database to the log beside it, and flushes it:
 * between their commit and the answer (rule Z11), and with them what a crash left there. A group without removals
 * costs one look at an empty table.
 * @param makeRoom called when the disk is full; returns true if it made room
 * @throws the error of the disk; the removals stay in the database then, and the next call tries again
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
      // Here, because the group that noted them is committed and must not be run again.
      if (!isDiskFull(error) || !makeRoom()) throw error;
      appendRemovals(folder, removals);
    }
    try {
      strike.run(last.seq);
    } catch (error) {
      // They are in the log. Those that stay here are appended once more, which does no harm.
      if (!isSqliteError(error, "busy") && !isSqliteError(error, "full")) throw error;
    }
  };
}

/** Drops removals of more than a year ago from the log, by the relay time that was kept: a wrong clock drops nothing. */
export function forgetOldRemovals(database: DatabaseSync, folder: string): void {
  const row = database.prepare("SELECT value FROM upkeep WHERE name = 'time'").get();
  if (row !== undefined) compactRemovals(folder, Number(row["value"]));
}
