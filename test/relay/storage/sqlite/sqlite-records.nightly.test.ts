import { describe, test } from "vitest";
import { recordHunts, recordsContract } from "../../../contracts/relay/records/records-contract.ts";
import { randomSeeds } from "../../../runner/random-seed.ts";
import { expandDatabase } from "./next-version.ts";
import { makeThreadedSqlite } from "./open-sqlite.ts";

describe.concurrent("SQLite keeps every promise", () => {
  for (const { title, run } of recordsContract(makeThreadedSqlite)) test(title, run);
});

describe.concurrent("[K13] SQLite keeps every promise after a newer version added to its database", () => {
  const makeExpanded = () => makeThreadedSqlite(expandDatabase);
  for (const { title, run } of recordsContract(makeExpanded)) test(title, run);
});

describe("nothing is lost in many races on SQLite", () => {
  for (const { title, run } of recordHunts(makeThreadedSqlite, { seeds: randomSeeds(200) }))
    test(title, run);
});
