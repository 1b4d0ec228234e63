import { DatabaseSync } from "node:sqlite";
import type { Records, StoreUpkeep } from "../../../relay/domain/ports.ts";
import type { Engine } from "../../../relay/storage/records/engine.ts";
import { recordsOver } from "../../../relay/storage/records/records-over.ts";
import { Undone } from "../../../relay/storage/records/statement.ts";
import { RecordCache } from "../../../relay/storage/sqlite/record-cache.ts";
import { applyMigrations } from "../../../relay/storage/sqlite/migrations.ts";
import { SqliteEngine, withCache } from "../../../relay/storage/sqlite/sqlite-engine.ts";
import { changesOn, type Write } from "../../../relay/storage/sqlite/writes.ts";

let emptyDatabase: Uint8Array | undefined;

/** A database in memory with all tables and no rows, copied from the first one. */
export function emptyInMemory(): DatabaseSync {
  const database = new DatabaseSync(":memory:");
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
  readonly database: DatabaseSync;
  readonly close: () => void;
} {
  const database = emptyInMemory();
  return { ...recordsIn(database), database, close: () => database.close() };
}

/** The records of a database as one process sees it, which has cached nothing yet. */
export function recordsIn(
  database: DatabaseSync,
): Records & { readonly upkeep: StoreUpkeep; readonly engine: Engine } {
  const cache = new RecordCache();
  const make = changesOn(database);
  const write: Write = async (name, argument) => {
    database.exec("BEGIN");
    try {
      const result = make(name, argument);
      database.exec("COMMIT");
      return result as never;
    } catch (error) {
      database.exec("ROLLBACK");
      if (error instanceof Undone) return error.result as never;
      throw error;
    } finally {
      cache.markStale();
    }
  };
  const engine = new SqliteEngine({ reading: database, write, cache });
  const { pairings, packages, soundKeys, upkeep } = recordsOver(engine);
  return {
    pairings,
    packages: withCache(packages, engine, cache),
    soundKeys,
    upkeep,
    engine,
    // Nobody else has the database, so nobody else changes it.
    changes: { watch: () => () => undefined },
  };
}
