import type { RecordStore } from "../../../relay/domain/ports.ts";
import { SqliteDatabase } from "../../../relay/storage/sqlite/sqlite-database.ts";
import type { NotifyingProcess, StoreUnderTest } from "../../../relay/testing/index.ts";
import { temporaryFolder } from "../storage/sqlite/open-sqlite.ts";
import { notifyingProcess } from "./notifying-process.ts";

/** SQLite in a folder of its own. Each instance has its own connections. */
export async function makeSqliteRecords(): Promise<StoreUnderTest<RecordStore>> {
  const folder = await temporaryFolder();
  const opened: SqliteDatabase[] = [];
  return {
    open: async () => {
      const database = await SqliteDatabase.open(folder.path);
      opened.push(database);
      return database;
    },
    [Symbol.asyncDispose]: async () => {
      for (const database of opened) await database[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}

/** Processes on one SQLite file. */
export async function makeSqliteProcesses(): Promise<StoreUnderTest<NotifyingProcess>> {
  const records = await makeSqliteRecords();
  return {
    open: async () => {
      const database = await records.open();
      const process = notifyingProcess(database);
      const end = async () => {
        process[Symbol.dispose]();
        await database[Symbol.asyncDispose]();
      };
      return Object.assign(process, { [Symbol.asyncDispose]: end });
    },
    [Symbol.asyncDispose]: () => records[Symbol.asyncDispose](),
  };
}
