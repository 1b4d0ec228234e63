import type { DatabaseSync } from "node:sqlite";
import { exportDevice } from "./export-device.ts";
import { openCurrent } from "./folder-database.ts";
import { listBlocks, listDenials, listOperations, listSwitches } from "./list-decisions.ts";
import { listApps, listDevices, listPackages, type PageOf } from "./list-records.ts";
import { type PackageFilter, readStats, type RelayView } from "./relay-view.ts";

/** The records of a data folder, in SQLite. */
export class FolderView implements RelayView {
  readonly place: string;
  readonly #database: DatabaseSync;
  readonly #freeBytes: () => Promise<number | "unknown">;

  /**
   * @param freeBytes how much room its sounds have
   * @throws {Error} a sentence if there is no database, or if another version wrote it
   */
  constructor(folder: string, freeBytes: () => Promise<number | "unknown">) {
    this.place = folder;
    this.#database = openCurrent(folder);
    this.#freeBytes = freeBytes;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#database.close();
  }

  async listDevices(page: PageOf, options?: { readonly onlyUnpaired?: boolean }) {
    return listDevices(this.#database, page, options);
  }

  async listApps(page: PageOf, options?: { readonly device?: string | undefined }) {
    return listApps(this.#database, page, options);
  }

  async listPackages(page: PageOf, filter?: PackageFilter) {
    return listPackages(this.#database, page, filter);
  }

  async listBlocks(page: PageOf) {
    return listBlocks(this.#database, page);
  }

  async listDenials(page: PageOf) {
    return listDenials(this.#database, page);
  }

  async listSwitches() {
    return listSwitches(this.#database);
  }

  async listOperations(page: PageOf) {
    return listOperations(this.#database, page);
  }

  async readStats() {
    return readStats(this.#database, await this.#freeBytes());
  }

  async exportDevice(deviceId: string, now: number) {
    return exportDevice(this.#database, deviceId, now);
  }
}
