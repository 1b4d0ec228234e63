import { expect, test } from "vitest";
import type { RecordStore, StoreUpkeep } from "../../../relay/domain/ports.ts";
import type { StoreUnderTest } from "../../contracts/relay/contract.ts";
import { recordsContract } from "../../contracts/relay/records/records-contract.ts";
import { upkeepContract } from "../../contracts/relay/records/upkeep-contract.ts";
import { neverSent } from "../storage/records/every-statement.ts";
import { noteStatements } from "../storage/records/noted-statements.ts";
import { sqliteInMemory } from "./sqlite-in-memory.ts";

/** Nothing outlives a database in memory, so it stays open, and all instances are the same. */
async function makeInMemory(): Promise<
  StoreUnderTest<RecordStore & { readonly upkeep: StoreUpkeep }>
> {
  const { close, ...records } = sqliteInMemory();
  return {
    open: async () => ({ ...records, [Symbol.asyncDispose]: async () => undefined }),
    [Symbol.asyncDispose]: async () => close(),
  };
}

const CASES = [recordsContract, upkeepContract].flatMap((contract) => contract(makeInMemory));
const sent = noteStatements();

// What the use cases are tested on keeps the promises of the relay's own records, but for those about what
// other processes change: it has none.
for (const { title, run } of CASES) {
  if (!title.includes("[J7]")) test(title, run);
}

test("the contracts send every statement of the records to SQLite", async () => {
  sent[Symbol.dispose]();
  expect(await neverSent("contracts", sent.sqlite)).toEqual([]);
});
