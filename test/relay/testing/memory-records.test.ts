import { describe, test } from "vitest";
import { partialsContract } from "../../contracts/relay/records/partials-contract.ts";
import { recordHunts, recordsContract } from "../../contracts/relay/records/records-contract.ts";
import { randomSeeds } from "../../runner/random-seed.ts";
import { makeMemoryRecords } from "./memory-records.ts";

describe("the memory store keeps every promise", () => {
  for (const { title, run } of recordsContract(makeMemoryRecords)) test(title, run);
});

describe("the memory store keeps partials", () => {
  for (const { title, run } of partialsContract(makeMemoryRecords)) test(title, run);
});

describe("nothing is lost in a race on the memory store", () => {
  for (const { title, run } of recordHunts(makeMemoryRecords, { seeds: randomSeeds(5) }))
    test(title, run);
});
