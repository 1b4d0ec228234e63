import { describe, test } from "vitest";
import { faultCases, notifierContract } from "../../../relay/testing/index.ts";
import { diskSoundsUnderTest } from "../storage/disk/disk-sounds-under-test.ts";
import { makeSqliteProcesses, makeSqliteRecords } from "./sqlite-under-test.ts";

const MAKERS = {
  records: makeSqliteRecords,
  sounds: diskSoundsUnderTest,
  notifier: makeSqliteProcesses,
};

describe("faults planted into SQLite and the disk", () => {
  for (const { title, run } of faultCases(MAKERS)) test(title, run);
});

describe("notifications between two processes on SQLite", () => {
  for (const { title, run } of notifierContract(makeSqliteProcesses)) test(title, run);
});
