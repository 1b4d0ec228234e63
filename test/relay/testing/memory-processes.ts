import { MemoryDatabase, MemoryRecords } from "../../../docs/examples/stores/memory-records.ts";
import type { NotifyingProcess, StoreUnderTest } from "../../contracts/relay/index.ts";
import { notifyingProcess } from "./notifying-process.ts";

/** Processes on one memory database. */
export async function makeMemoryProcesses(): Promise<StoreUnderTest<NotifyingProcess>> {
  const database = new MemoryDatabase();
  return {
    open: async () => {
      const process = notifyingProcess(new MemoryRecords(database));
      const end = async () => process[Symbol.dispose]();
      return Object.assign(process, { [Symbol.asyncDispose]: end });
    },
    [Symbol.asyncDispose]: async () => {},
  };
}
