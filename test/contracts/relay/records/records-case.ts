import type { RecordStore } from "../../../../relay/domain/ports.ts";
import {
  type ContractCase,
  type Eventually,
  eventuallyWithin,
  type MakeStore,
  type WaitOptions,
} from "../contract.ts";

/** One instance of the record store under test. */
export type OpenedRecords = RecordStore & AsyncDisposable;

/** One promise of any record store. */
export interface RecordsCase {
  readonly title: string;
  readonly run: (open: () => Promise<OpenedRecords>, eventually: Eventually) => Promise<void>;
}

/** Makes a case for one instance. `reopen` ends it and opens the next, like a relay that restarts. */
export function one(
  title: string,
  run: (records: OpenedRecords, reopen: () => Promise<OpenedRecords>) => Promise<void>,
): RecordsCase {
  return {
    title,
    run: async (open) => {
      const records = await open();
      await run(records, async () => {
        await records[Symbol.asyncDispose]();
        return open();
      });
    },
  };
}

/** Makes a case for two instances on one store, like two processes. */
export function two(
  title: string,
  run: (first: OpenedRecords, second: OpenedRecords, eventually: Eventually) => Promise<void>,
): RecordsCase {
  return { title, run: async (open, eventually) => run(await open(), await open(), eventually) };
}

/** Runs each case on a separate store. */
export function onStore(
  make: MakeStore<RecordStore>,
  cases: readonly RecordsCase[],
  options: WaitOptions = {},
): readonly ContractCase[] {
  return cases.map(({ title, run }) => ({
    title,
    run: async () => {
      await using store = await make();
      await run(() => store.open(), eventuallyWithin(options));
    },
  }));
}
