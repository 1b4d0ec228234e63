import type { DatabaseSync } from "node:sqlite";
import type { Records, StoreUpkeep } from "../../domain/ports.ts";
import { named } from "../naming-trouble.ts";
import { openForReading, openForWriting } from "./open-database.ts";
import { patientBegin } from "./patient-begin.ts";
import { RecordCache } from "./record-cache.ts";
import { locationOf, recordsOver } from "./records-over.ts";
import { storeUpkeep } from "./upkeep.ts";
import { allWrites, type Write, type WriteResult } from "./writes.ts";
import { inTransaction } from "./in-transaction.ts";

/** Records that a relay may be using, for a program that looks at them or changes a few. */
export interface RecordsBeside extends Pick<Records, "packages" | "soundKeys">, Disposable {
  readonly upkeep: StoreUpkeep;
  readonly reading: DatabaseSync;
}

/**
 * Opens the current database of a folder beside a relay that may run. Reads are never cached.
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
    const write = writing === undefined ? refuseWrite : writeNow(writing);
    const cache = new RecordCache();
    const { packages, soundKeys } = recordsOver({ reading, write, cache });
    const find = packages.find.bind(packages);
    return {
      packages: {
        ...packages,
        find: (packageId) => {
          cache.markStale(packageId);
          return find(packageId);
        },
      },
      soundKeys,
      upkeep: storeUpkeep(reading, write),
      reading,
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

/** Each change in a transaction of its own. */
function writeNow(database: DatabaseSync): Write {
  const writes = allWrites(database);
  const begin = patientBegin(database, () => {});
  return async (name, argument) => {
    try {
      const write = (): unknown => Reflect.apply(writes[name], undefined, [argument]);
      const result = inTransaction(database, write, begin);
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the name ties the result to the function
      return result as WriteResult<typeof name>;
    } catch (error) {
      throw named(error, locationOf(database));
    }
  };
}
