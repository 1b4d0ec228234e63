import type { DatabaseSync } from "node:sqlite";
import { named } from "../naming-trouble.ts";
import type { Engine } from "../records/engine.ts";
import { type RecordsOver, recordsOver } from "../records/records-over.ts";
import { Undone } from "../records/statement.ts";
import { openForReading, openForWriting } from "./open-database.ts";
import { RecordCache } from "./record-cache.ts";
import { removalsAppender } from "./removals.ts";
import { locationOf, SqliteEngine } from "./sqlite-engine.ts";
import { inTransaction, patientBegin } from "./transactions.ts";
import { changesOn, type Write } from "./writes.ts";

/** Records beside a relay that may be running, for a program that looks at them or changes a few. */
export interface RecordsBeside extends RecordsOver, Disposable {
  readonly engine: Engine;
}

/**
 * Opens the current database of a folder beside a relay that may run. Nothing is cached.
 * @param mayWrite without it, every write rejects and the database stays as it is
 */
export function openRecordsBeside(
  folder: string,
  { mayWrite }: { readonly mayWrite: boolean },
): RecordsBeside {
  const reading = openForReading(folder);
  let writing: DatabaseSync | undefined;
  try {
    writing = mayWrite ? openForWriting(folder) : undefined;
    const write = writing === undefined ? refuseWrite : writeNow(writing, folder);
    const engine = new SqliteEngine({ reading, write, cache: new RecordCache() });
    return {
      ...recordsOver(engine),
      engine,
      [Symbol.dispose]: () => {
        reading.close();
        writing?.close();
      },
    };
  } catch (error) {
    reading.close();
    writing?.close();
    throw error;
  }
}

const refuseWrite: Write = () =>
  Promise.reject(new Error("The database is open for reading only."));

/** Returns a `Write` that runs each change in a separate transaction. Its removals are in their log before it resolves (rule Z11). */
function writeNow(database: DatabaseSync, folder: string): Write {
  const make = changesOn(database);
  const begin = patientBegin(database, () => {});
  const appendRemovals = removalsAppender(database, folder);
  return async (name, argument) => {
    try {
      const result = inTransaction(database, () => make(name, argument), begin);
      appendRemovals();
      return result as never;
    } catch (error) {
      if (error instanceof Undone) return error.result as never;
      throw named(error, locationOf(database));
    }
  };
}
