import { describe, test } from "vitest";
import {
  faultCases,
  notifierContract,
  type NotifyingProcess,
  type StoreUnderTest,
} from "../../contracts/relay/index.ts";
import { diskSoundsUnderTest } from "../storage/disk/disk-sounds-under-test.ts";
import { makeSqlite, makeThreadedSqlite } from "../storage/sqlite/open-sqlite.ts";
import { notifyingProcess } from "./memory-stores.ts";

/** Processes on one SQLite file. */
async function makeSqliteProcesses(): Promise<StoreUnderTest<NotifyingProcess>> {
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

const MAKERS = {
  records: makeSqlite,
  sounds: diskSoundsUnderTest,
  notifier: makeSqliteProcesses,
};

describe("faults planted into SQLite and the disk", () => {
  for (const { title, run } of faultCases(MAKERS)) test(title, run);
});

describe("notifications between two processes on SQLite", () => {
  for (const { title, run } of notifierContract(makeSqliteProcesses)) test(title, run);
});
