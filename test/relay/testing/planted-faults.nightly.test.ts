import { describe, test } from "vitest";
import { faultCases, notifierContract } from "../../contracts/relay/index.ts";
import { diskSoundsUnderTest } from "../storage/disk/disk-sounds-under-test.ts";
import { makeSqlite } from "../storage/sqlite/open-sqlite.ts";
import { makeSqliteProcesses } from "./sqlite-processes.ts";

const MAKERS = {
  records: makeSqlite,
  partials: makeSqlite,
  sounds: diskSoundsUnderTest,
  notifier: makeSqliteProcesses,
};

describe("faults planted into SQLite and the disk", () => {
  for (const { title, run } of faultCases(MAKERS)) test(title, run);
});

describe("notifications between two processes on SQLite", () => {
  for (const { title, run } of notifierContract(makeSqliteProcesses)) test(title, run);
});
