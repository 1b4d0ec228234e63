import { join } from "node:path";
import { parseRemoval, readLines, REMOVALS_FILE } from "../storage/removals-log.ts";
import type { Work } from "../storage/records/statement.ts";
import { exportDevice } from "./export-device.ts";
import type { ListFilter, ListName, PageOf } from "./listed.ts";
import { find, findPurged, type GonePackage } from "./find.ts";
import { listSwitches, readList, timeOf } from "./lists.ts";
import { openRecords, openSounds, type StoreSettings } from "./open-operated.ts";
import { readStats } from "./stats.ts";

/** Finds the latest removal of a package in a data folder's log: its app withdrew it, or an operator purged it. */
function findRemoved(dataFolder: string, id: string): GonePackage | undefined {
  let found: GonePackage | undefined;
  for (const line of readLines(join(dataFolder, REMOVALS_FILE))) {
    const removal = line.includes(id) ? parseRemoval(line) : undefined;
    if (removal?.kind !== "package" || !removal.id.startsWith(id)) continue;
    found = { package_id: removal.id, at: timeOf(removal.at) };
  }
  return found;
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

    /** Finds what an operator looks for (rule AD12). */
    find: (text: string, limit: number, now = records.clock?.now() ?? Date.now()) =>
      read(find(text, limit, now)),

    /**
     * Finds a package that is gone, as far as logs say so. Only a data folder has the log of removals.
     * @param id its beginning is enough
     */
    async findGone(id: string): Promise<GonePackage | undefined> {
      const purged = await read(findPurged(id));
      if (purged !== undefined || settings.databaseUrl !== undefined) return purged;
      return findRemoved(settings.dataFolder, id);
    },

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
