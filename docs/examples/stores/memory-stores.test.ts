import { describe, test } from "node:test";
import {
  type ContractCase,
  faultCases,
  recordHunts,
  recordsContract,
  soundStoreContract,
} from "../../../test/contracts/relay/index.ts";
import { MemoryDatabase, MemoryRecords } from "./memory-records.ts";
import { MemoryDisk, MemorySounds } from "./memory-sounds.ts";

async function makeRecords() {
  const database = new MemoryDatabase();
  return { open: async () => new MemoryRecords(database), [Symbol.asyncDispose]: async () => {} };
}

async function makeSounds() {
  let disk = new MemoryDisk();
  return {
    open: async () => new MemorySounds(disk),
    // Instances from before the cut keep the old disk, so nothing that they still do reaches the new one.
    powerCut: async () => {
      disk = new MemoryDisk(new Map(disk.finished));
    },
    [Symbol.asyncDispose]: async () => {},
  };
}

function prove(name: string, cases: readonly ContractCase[]): void {
  describe(name, () => {
    for (const { title, run } of cases) test(title, run);
  });
}

prove("records", recordsContract(makeRecords));
prove("hunts", recordHunts(makeRecords, { seeds: 5 }));
prove("sounds", soundStoreContract(makeSounds));
prove("planted faults", faultCases({ records: makeRecords, sounds: makeSounds }));
