import type { NotifyingProcess, StoreUnderTest } from "../../contracts/relay/index.ts";
import { makeThreadedSqlite } from "../storage/sqlite/open-sqlite.ts";
import { notifyingProcess } from "./notifying-process.ts";

/** Processes on one SQLite file. */
export async function makeSqliteProcesses(): Promise<StoreUnderTest<NotifyingProcess>> {
  const records = await makeThreadedSqlite();
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
