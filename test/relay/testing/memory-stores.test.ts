import { describe, test } from "vitest";
import { recordHunts, recordsContract } from "../../contracts/relay/records/records-contract.ts";
import { soundStoreContract } from "../../contracts/relay/sounds/sound-store-contract.ts";
import { randomSeeds } from "../../runner/random-seed.ts";
import { makeMemoryRecords, makeMemorySounds } from "./memory-stores.ts";

describe("the memory store keeps every promise", () => {
  for (const { title, run } of recordsContract(makeMemoryRecords)) test(title, run);
});

describe("nothing is lost in a race on the memory store", () => {
  for (const { title, run } of recordHunts(makeMemoryRecords, { seeds: randomSeeds(5) }))
    test(title, run);
});

for (const { title, run } of soundStoreContract(makeMemorySounds)) test(title, run);
