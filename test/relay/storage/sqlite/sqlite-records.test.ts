import { describe, test } from "vitest";
import {
  recordHunts,
  recordsContract,
} from "../../../../relay/testing/records/records-contract.ts";
import { partialsContract } from "../../../../relay/testing/records/partials-contract.ts";
import { upkeepContract } from "../../../../relay/testing/records/upkeep-contract.ts";
import { randomSeeds } from "../../../random-seed.ts";
import { makeSqlite, makeThreadedSqlite } from "./open-sqlite.ts";

/** What processes do to each other, with a thread each. The other cases run on the same SQL in memory; the slow tests run all with threads. */
const IS_COMPETING = /\[J[57]\]/;

describe.concurrent("SQLite keeps its promises to several processes", () => {
  for (const { title, run } of recordsContract(makeThreadedSqlite)) {
    if (IS_COMPETING.test(title)) test(title, run);
  }
});

describe.concurrent("SQLite remembers what a relay needs to know of it", () => {
  for (const { title, run } of upkeepContract(makeSqlite)) test(title, run);
  for (const { title, run } of partialsContract(makeSqlite)) test(title, run);
});

describe.concurrent("nothing is lost in a race on SQLite", () => {
  for (const { title, run } of recordHunts(makeSqlite, { seeds: randomSeeds(3) })) test(title, run);
});
