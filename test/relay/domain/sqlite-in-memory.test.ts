import { test } from "vitest";
import type { RecordStore } from "../../../relay/domain/ports.ts";
import type { StoreUnderTest } from "../../contracts/relay/contract.ts";
import { recordsContract } from "../../contracts/relay/records/records-contract.ts";
import { sqliteInMemory } from "./sqlite-in-memory.ts";

/** Nothing outlives a database in memory, so it stays open, and all instances are the same. */
async function makeInMemory(): Promise<StoreUnderTest<RecordStore>> {
  const { close, ...records } = sqliteInMemory();
  return {
    open: async () => ({ ...records, [Symbol.asyncDispose]: async () => undefined }),
    [Symbol.asyncDispose]: async () => close(),
  };
}

// What the use cases are tested on keeps the promises of the relay's own records, but for those about what
// other processes change: it has none.
for (const { title, run } of recordsContract(makeInMemory)) {
  if (!title.includes("[J7]")) test(title, run);
}
