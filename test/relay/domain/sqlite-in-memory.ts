import type { DatabaseSync } from "node:sqlite";
import type { Records, StoreUpkeep } from "../../../relay/domain/ports.ts";
import { LazyDatabase } from "../../../relay/storage/sqlite/open-database.ts";
import { RecordCache } from "../../../relay/storage/sqlite/record-cache.ts";
import { recordsOver } from "../../../relay/storage/sqlite/records-over.ts";
import { applyMigrations } from "../../../relay/storage/sqlite/migrations.ts";
import { storeUpkeep } from "../../../relay/storage/sqlite/upkeep.ts";
import { allWrites, type Write, type WriteResult } from "../../../relay/storage/sqlite/writes.ts";

let emptyDatabase: Uint8Array | undefined;

/** A database in memory with all tables and no rows, copied from the first one. */
export function emptyInMemory(): DatabaseSync {
  const database = new LazyDatabase(":memory:");
  if (emptyDatabase === undefined) {
    applyMigrations(database);
    emptyDatabase = database.serialize();
  } else {
    database.deserialize(emptyDatabase);
  }
  return database;
}

/** The relay's own SQL on an empty database in memory, without the thread that writes: it opens in a millisecond. */
export function sqliteInMemory(): Records & {
  readonly upkeep: StoreUpkeep;
  readonly close: () => void;
} {
  const database = emptyInMemory();
  return { ...recordsIn(database), close: () => database.close() };
}

/** The records of a database as one process sees it, which has cached nothing yet. */
export function recordsIn(database: DatabaseSync): Records & { readonly upkeep: StoreUpkeep } {
  const cache = new RecordCache();
  const writes = allWrites(database);
  const write: Write = async <Name extends keyof typeof writes>(name: Name, argument: unknown) => {
    database.exec("BEGIN");
    try {
      // The name selects the function, and the caller's types tie the argument and the result to it.
      const result = Reflect.apply(writes[name], undefined, [argument]) as WriteResult<Name>;
      database.exec("COMMIT");
      return result;
    } catch (error) {
      database.exec("ROLLBACK");
      throw error;
    } finally {
      cache.markStale();
    }
  };
  return {
    ...recordsOver({ reading: database, write, cache }),
    upkeep: storeUpkeep(database, write),
    // Nobody else has the database, so nobody else changes it.
    changes: { watch: () => () => undefined },
  };
}
