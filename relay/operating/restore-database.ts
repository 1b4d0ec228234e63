import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { makeId } from "../domain/tokens.ts";
import { appendRemovals, type Removal } from "../storage/removals-log.ts";
import { removalsAppender } from "../storage/sqlite/append-removals.ts";
import { DATABASE_FILE, openForWriting } from "../storage/sqlite/open-database.ts";
import { removalReplayer } from "../storage/sqlite/replay-removals.ts";
import { upkeepWrites } from "../storage/sqlite/upkeep.ts";
import { systemRandomBytes } from "../storage/system.ts";
import { digestOf } from "./copy-file.ts";

export interface RestoredDatabase {
  readonly instanceId: string;
  /** How many tokens, pairings, devices and packages were removed once more. */
  readonly replayed: number;
}

/**
 * Prepares the database in a folder for its next start: migrates it, removes once more what was removed since the
 * backup (rule Z11), and binds it to an instance. Writes the folder's log of removals.
 * @returns once database and log are durable, each in one file
 */
export async function restoreDatabase(
  folder: string,
  { removals, isNewInstance }: { removals: readonly Removal[]; isNewInstance: boolean },
): Promise<RestoredDatabase> {
  const database = openForWriting(folder);
  let restored: RestoredDatabase;
  try {
    if (removals.length > 0) appendRemovals(folder, removals);
    removalsAppender(database, folder)();
    restored = runInTransaction(database, () => ({
      replayed: replay(database, removals),
      instanceId: bind(database, isNewInstance),
    }));
  } finally {
    // The last connection to close merges everything into one file.
    database.close();
  }
  await digestOf(join(folder, DATABASE_FILE), { isFlushed: true });
  return restored;
}

function replay(database: DatabaseSync, removals: readonly Removal[]): number {
  const remove = removalReplayer(database);
  const replayed = removals.filter((removal) => remove(removal)).length;
  // A code that was used since must not pair a second time. What was replayed is in the log already.
  database.exec("DELETE FROM pairing_codes; DELETE FROM removals; DELETE FROM deletion_holds");
  return replayed;
}

function bind(database: DatabaseSync, isNewInstance: boolean): string {
  const row = database.prepare("SELECT value FROM upkeep WHERE name = 'instance_id'").get();
  const kept = row === undefined || isNewInstance ? undefined : String(row["value"]);
  const instanceId = kept ?? makeId("ins", systemRandomBytes);
  upkeepWrites(database).keepUpkeep({ instance_id: instanceId, is_bound: "1" });
  return instanceId;
}

function runInTransaction<Result>(database: DatabaseSync, act: () => Result): Result {
  database.exec("BEGIN IMMEDIATE");
  try {
    const result = act();
    database.exec("COMMIT");
    return result;
  } finally {
    if (database.isTransaction) database.exec("ROLLBACK");
  }
}
