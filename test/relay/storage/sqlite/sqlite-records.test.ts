import { describe, test } from "vitest";
import { recordHunts, recordsContract } from "../../../contracts/relay/records/records-contract.ts";
import { upkeepContract } from "../../../contracts/relay/records/upkeep-contract.ts";
import { randomSeeds } from "../../../runner/random-seed.ts";
import { makeCompetingSqlite, makeSqlite } from "./open-sqlite.ts";

// The other cases run on the same SQL in memory; the nightly tests run all with threads.
describe.concurrent("SQLite keeps its promises to several processes", () => {
  for (const { title, run } of recordsContract(makeCompetingSqlite)) {
    if (title.includes("[J5]")) test(title, run);
  }
  // Nobody waits for a lock here: what one connection commits, another one notices in the same thread too.
  for (const { title, run } of recordsContract(makeSqlite)) {
    if (title.includes("[J7]") && !title.includes("[J5]")) test(title, run);
  }
});

describe.concurrent("SQLite remembers what a relay needs to know of it", () => {
  for (const { title, run } of upkeepContract(makeSqlite)) test(title, run);
  for (const { title, run } of recordsContract(makeSqlite)) {
    if (title.includes("[U10]")) test(title, run);
  }
});

describe.concurrent("nothing is lost in a race on SQLite", () => {
  for (const { title, run } of recordHunts(makeSqlite, { seeds: randomSeeds(1) })) test(title, run);
});
