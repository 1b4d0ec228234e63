import type { Work } from "../storage/records/statement.ts";
import { exportDevice } from "./export-device.ts";
import type { ListFilter, ListName, PageOf } from "./listed.ts";
import { listSwitches, readList } from "./lists.ts";
import { openRecords, openSounds, type StoreSettings } from "./open-operated.ts";
import { readStats } from "./stats.ts";

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

    async readStats() {
      await using sounds = await openSounds(settings);
      return await read(readStats(await sounds.room()));
    },

    [Symbol.asyncDispose]: () => records[Symbol.asyncDispose](),
  };
}
