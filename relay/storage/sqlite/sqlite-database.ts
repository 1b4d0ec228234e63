import type { DatabaseSync } from "node:sqlite";
import type { PackageRecords, PairingRecords } from "../../domain/ports.ts";
import { RecordCache } from "./record-cache.ts";
import { openForReading } from "./open-database.ts";
import { packageReads } from "./package-reads.ts";
import { pairingReads } from "./pairing-reads.ts";
import { columnsOf, newColumnsOf } from "./rows.ts";
import { startWriter, WriteQueue } from "./write-queue.ts";

/**
 * The relay's records in one SQLite file. A separate thread writes and commits in groups, so that waiting for
 * the disk never blocks the event loop. Reads run here, on a connection that sees every commit before its
 * write resolves.
 */
export class SqliteDatabase implements AsyncDisposable {
  readonly pairings: PairingRecords;
  readonly packages: PackageRecords;
  readonly #queue: WriteQueue;
  readonly #reading: DatabaseSync;
  readonly #cache = new RecordCache();

  private constructor(queue: WriteQueue, reading: DatabaseSync) {
    this.#queue = queue;
    this.#reading = reading;
    // A relay that can't write must not read either, so that it is seen to be broken.
    void queue.ended.then(() => this.#closeReading());
    this.pairings = {
      ...pairingReads(reading),
      insertDevice: (device, tokenHash) => queue.do("insertDevice", { device, tokenHash }),
      renameDevice: (deviceId, deviceName) => queue.do("renameDevice", { deviceId, deviceName }),
      removeDevice: (deviceId) =>
        queue.do("removeDevice", deviceId).finally(() => this.#cache.markStale()),
      putCode: (code) => queue.do("putCode", code),
      removeCode: (deviceId) => queue.do("removeCode", deviceId),
      claimCode: (claim) => queue.do("claimCode", claim),
      removeAppToken: (tokenHash) => queue.do("removeAppToken", tokenHash),
      removePairing: (deviceId, pairingId) => queue.do("removePairing", { deviceId, pairingId }),
      noteSeen: (seen) => queue.do("noteSeen", seen),
    };
    this.packages = {
      ...packageReads(reading, this.#cache),
      insert: (record, options) =>
        queue.do("insertPackage", {
          columns: newColumnsOf(record),
          manifest: JSON.stringify(record.manifest),
          options,
        }),
      update: (record) => {
        const { packageId, version } = record;
        return queue
          .do("updatePackage", { packageId, version, columns: columnsOf(record) })
          .finally(() => this.#cache.markStale(packageId));
      },
      remove: (packageId, version) =>
        queue
          .do("removePackage", { packageId, version })
          .finally(() => this.#cache.markStale(packageId)),
      forgetOld: (now) => queue.do("forgetOld", now),
    };
  }

  /**
   * Opens the database of an existing data folder and creates it if needed.
   * @throws if a newer relay wrote it, or if it is not a database; the message says so
   */
  static async open(folder: string): Promise<SqliteDatabase> {
    const queue = new WriteQueue(await startWriter(folder));
    return new SqliteDatabase(queue, openForReading(folder));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    // The last connection to close merges everything into one file, and only the writer can.
    this.#closeReading();
    await this.#queue[Symbol.asyncDispose]();
  }

  #closeReading(): void {
    this.#cache.markStale();
    if (this.#reading.isOpen) this.#reading.close();
  }
}
