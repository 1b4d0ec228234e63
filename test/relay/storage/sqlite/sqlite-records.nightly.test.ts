import { describe, test } from "vitest";
import {
  recordHunts,
  recordsContract,
} from "../../../../relay/testing/records/records-contract.ts";
import { expandDatabase } from "./next-version.ts";
import { makeSqlite } from "./open-sqlite.ts";

describe.concurrent("SQLite keeps every promise", () => {
  for (const { title, run } of recordsContract(makeSqlite)) test(title, run);
});

describe.concurrent("[K13] SQLite keeps every promise after a newer version added to its database", () => {
  const makeExpanded = () => makeSqlite(expandDatabase);
  for (const { title, run } of recordsContract(makeExpanded)) test(title, run);
});

describe("nothing is lost in many races on SQLite", () => {
  for (const { title, run } of recordHunts(makeSqlite, { seeds: 200 })) test(title, run);
});
