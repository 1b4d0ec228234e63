import type { DatabaseSync } from "node:sqlite";
import type { Engine } from "../records/engine.ts";
import { type RecordsOver, recordsOver } from "../records/records-over.ts";
import { releaseBallast } from "./ballast.ts";
import { groupCommitter } from "./commit-group.ts";
import { openForReading, openForWriting, opening } from "./open-database.ts";
import { RecordCache } from "./record-cache.ts";
import { removalsAppender } from "./removals.ts";
import { SqliteEngine } from "./sqlite-engine.ts";
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
  const reading = opening(folder, () => openForReading(folder));
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

/**
 * Returns a `Write` that commits each change alone. Its removals are in their log before it resolves (rule Z11). On a full
 * disk it uses the ballast (rule Z7); a relay notices that at its next sweep.
 */
function writeNow(database: DatabaseSync, folder: string): Write {
  const makeRoom = () => releaseBallast(folder);
  const commit = groupCommitter(database, changesOn(database), {
    whileWaiting: () => {},
    beforeAnswers: removalsAppender(database, folder, makeRoom),
    makeRoom,
  });
  return async (name, argument) => {
    const [reply] = commit([{ id: 1, name, argument }]);
    if (reply === undefined || "error" in reply) throw reply?.error;
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the change gives its own result
    return reply.result as never;
  };
}
