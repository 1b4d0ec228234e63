import { join } from "node:path";
import { makeId } from "../domain/pairing/tokens.ts";
import { replayRemoval } from "../storage/records/replay-removal.ts";
import type { Work } from "../storage/records/statement.ts";
import { keepUpkeep, readUpkeep } from "../storage/records/upkeep.ts";
import {
  appendRemovals,
  OPPOSITES,
  parseRemoval,
  readLines,
  type Removal,
} from "../storage/removals-log.ts";
import { DATABASE_FILE, openForWriting } from "../storage/sqlite/open-database.ts";
import { removalsAppender } from "../storage/sqlite/removals.ts";
import { StatementRunner } from "../storage/sqlite/statement-runner.ts";
import { inTransaction } from "../storage/sqlite/transactions.ts";
import { systemRandomBytes } from "../storage/system.ts";
import { digestOf } from "./copy-files.ts";

export interface RestoredDatabase {
  readonly instanceId: string;
  /** Number of tokens, pairings, devices and packages that were removed once more. */
  readonly replayed: number;
}

/**
 * Prepares the database in a folder for its next start: migrates it, repeats the removals since the backup (rule
 * Z11), and binds it to an instance. Writes the folder's log of removals.
 * @returns when database and log are durable, each in one file
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
    restored = inTransaction(database, () => {
      const runner = new StatementRunner(database);
      const replayed = removals.filter((removal) => runner.run(replayRemoval(removal))).length;
      // A code that was used since must not pair a second time. The replayed removals are in the log already.
      database.exec("DELETE FROM pairing_codes; DELETE FROM removals; DELETE FROM deletion_holds");
      return { replayed, instanceId: runner.run(bind(isNewInstance)) };
    });
  } finally {
    // The last connection to close merges everything into one file.
    database.close();
  }
  await digestOf(join(folder, DATABASE_FILE), { isFlushed: true });
  return restored;
}

function* bind(isNewInstance: boolean): Work<string> {
  const kept = isNewInstance ? undefined : (yield* readUpkeep()).get("instance_id");
  const instanceId = kept ?? makeId("ins", systemRandomBytes);
  yield* keepUpkeep({ instance_id: instanceId, is_bound: "1" });
  return instanceId;
}

/** The merged content of several logs. */
interface MergedRemovals {
  readonly removals: readonly Removal[];
  /** Number of unreadable lines, without those that a crash cut short and that were written again. */
  readonly unreadable: number;
}

/** Reads several logs of removals, each removal once. Of opposite decisions, the last one counts. */
export function mergeRemovals(paths: readonly string[]): MergedRemovals {
  const removals = new Map<string, Removal>();
  const torn: string[] = [];
  for (const line of paths.flatMap((path) => [...readLines(path)])) {
    const removal = parseRemoval(line);
    if (removal === undefined) torn.push(line);
    else {
      const name = `${OPPOSITES[removal.kind] ?? removal.kind} ${removal.id}`;
      if (!isBefore(removal, removals.get(name))) removals.set(name, removal);
    }
  }
  const whole = [...removals.values()];
  const isWrittenAgain = (line: string) =>
    whole.some((removal) => JSON.stringify(removal).startsWith(line));
  return { removals: whole, unreadable: torn.filter((line) => !isWrittenAgain(line)).length };
}

function isBefore(one: Removal, other: Removal | undefined): boolean {
  if (other === undefined) return false;
  return one.at < other.at || (one.at === other.at && one.seq < other.seq);
}
