import type { DatabaseSync } from "node:sqlite";
import type { Records, StoreUpkeep } from "../../domain/ports.ts";
import { named } from "../naming-trouble.ts";
import { number, text } from "../rows.ts";
import { openForReading, openForWriting } from "./open-database.ts";
import { RecordCache } from "./record-cache.ts";
import { locationOf, recordsOver } from "./records-over.ts";
import { inTransaction, patientBegin } from "./transactions.ts";
import { storeUpkeep } from "./upkeep.ts";
import { allWrites, type Write, type WriteResult } from "./writes.ts";

/** Records beside a relay that may be running, for a program that looks at them or changes a few. */
export interface RecordsAlongside extends Pick<Records, "packages" | "soundKeys">, Disposable {
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
): RecordsAlongside {
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

/** Returns a `Write` that runs each change in a separate transaction. */
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

/** A sound that a package has. */
export interface NamedSound {
  readonly key: string;
  /** Announced SHA-256, in lowercase hex. */
  readonly sha256: string;
  /** Announced size. */
  readonly bytes: number;
}

/** The sounds of all packages whose files are not deleted. */
export function* namedSounds(database: DatabaseSync): Generator<NamedSound, void, void> {
  const rows = database.prepare(
    `SELECT had.value ->> 1 AS key, item.value ->> 'sha256' AS sha256,
       item.value ->> 'bytes' AS bytes
     FROM packages JOIN manifests USING (package_id), json_each(uploaded) AS had,
       json_each(manifest, '$.items') AS item
     WHERE files_deleted = 0 AND item.value ->> 'file' = had.value ->> 0`,
  );
  for (const row of rows.iterate()) {
    yield { key: text(row["key"]), sha256: text(row["sha256"]), bytes: number(row["bytes"]) };
  }
}

/** Returns a function that checks whether a package has a sound now. */
export function soundFinder(database: DatabaseSync): (key: string) => boolean {
  const find = database.prepare(
    `SELECT 1 FROM packages, json_each(uploaded) AS had
     WHERE package_id = ? AND files_deleted = 0 AND had.value ->> 1 = ?`,
  );
  return (key) => find.get(key.split("/")[0] ?? "", key) !== undefined;
}
