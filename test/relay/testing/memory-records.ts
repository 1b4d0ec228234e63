import { MemoryDatabase, MemoryRecords } from "../../../docs/examples/stores/memory-records.ts";
import type { RecordStore } from "../../../relay/domain/ports.ts";
import type { StoreUnderTest } from "../../contracts/relay/contract.ts";

/** An empty memory store for a contract suite. */
export async function makeMemoryRecords(): Promise<StoreUnderTest<RecordStore>> {
  const database = new MemoryDatabase();
  return {
    open: async () => new MemoryRecords(database),
    [Symbol.asyncDispose]: async () => {},
  };
}
