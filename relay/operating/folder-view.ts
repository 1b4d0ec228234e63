import { exportDevice } from "./export-device.ts";
import { openCurrent } from "./folder-database.ts";
import { listBlocks, listDenials, listOperations, listSwitches } from "./list-decisions.ts";
import { listApps, listDevices, listPackages } from "./list-records.ts";
import { readStats, type RelayView } from "./relay-view.ts";

/**
 * Opens the records of a data folder, in SQLite, for reading.
 * @param freeBytes the room that its sounds have
 * @throws {Error} a sentence if there is no database, or if another version wrote it
 */
export function openFolderView(
  folder: string,
  freeBytes: () => Promise<number | "unknown">,
): RelayView {
  const database = openCurrent(folder);
  return {
    place: folder,
    listDevices: async (page, options) => listDevices(database, page, options),
    listApps: async (page, options) => listApps(database, page, options),
    listPackages: async (page, filter) => listPackages(database, page, filter),
    listBlocks: async (page) => listBlocks(database, page),
    listDenials: async (page) => listDenials(database, page),
    listSwitches: async () => listSwitches(database),
    listOperations: async (page) => listOperations(database, page),
    readStats: async () => readStats(database, await freeBytes()),
    exportDevice: async (deviceId, now) => exportDevice(database, deviceId, now),
    [Symbol.asyncDispose]: async () => database.close(),
  };
}
