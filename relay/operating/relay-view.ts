import type { Work } from "../storage/records/statement.ts";
import { exportDevice } from "./export-device.ts";
import type { ListFilter, ListName } from "./listed.ts";
import { listSwitches, readList } from "./lists.ts";
import { openRecords, type StoreSettings, withSounds } from "./open-operated.ts";
import type { PageOf } from "./pages.ts";
import { readStats, type RecordStats } from "./stats.ts";

/** A relay at a glance. */
export interface Stats extends RecordStats {
  /** Free bytes of the sounds' disk; null if they are unknown, as for a bucket. */
  readonly disk_free_bytes: number | null;
}

/** A relay's records as an operator sees them, beside running relays. */
export type RelayView = Awaited<ReturnType<typeof openView>>;

/** Opens a relay's records to look at them. @throws {Error} as `openRecords` */
export async function openView(settings: StoreSettings) {
  const records = await openRecords(settings, { mayWrite: false });
  const read = <Result>(work: Work<Result>) => records.engine.readSlowly(work);
  return {
    /** Place of the records, for sentences. */
    place: settings.databaseUrl === undefined ? settings.dataFolder : records.engine.where,

    /** Reads a page of a list. */
    list: <Name extends ListName>(name: Name, page: PageOf, filter?: ListFilter) =>
      read(readList(name, page, filter)),

    listSwitches: () => read(listSwitches()),

    /** Exports everything that is stored about a device. Resolves with undefined if there is no such device. */
    exportDevice: (deviceId: string, now: number) => read(exportDevice(deviceId, now)),

    async readStats(): Promise<Stats> {
      const free = await withSounds(settings, (sounds) => sounds.room());
      return { ...(await read(readStats())), disk_free_bytes: free === "unknown" ? null : free };
    },

    [Symbol.asyncDispose]: () => records[Symbol.asyncDispose](),
  };
}
