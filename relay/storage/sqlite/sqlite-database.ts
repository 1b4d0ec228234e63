import type { DatabaseSync } from "node:sqlite";
import type { PackageRecords, PairingRecords } from "../../domain/ports.ts";
import { openForReading } from "./open-database.ts";
import { packageReads } from "./package-reads.ts";
import { pairingReads } from "./pairing-reads.ts";
import { WriteQueue } from "./write-queue.ts";

/**
 * The relay's records in one SQLite file: writes go to a thread of their own that commits them in
 * groups, so that waiting for the disk never holds up the event loop; reads run here, on a connection
 * that sees every commit before the write that made it resolves.
 */
export class SqliteDatabase implements AsyncDisposable {
  readonly pairings: PairingRecords;
  readonly packages: PackageRecords;
  readonly #queue: WriteQueue;
  readonly #reading: DatabaseSync;

  private constructor(queue: WriteQueue, reading: DatabaseSync) {
    this.#queue = queue;
    this.#reading = reading;
    this.pairings = {
      ...pairingReads(reading),
      insertDevice: (device, tokenHash) => queue.do("insertDevice", { device, tokenHash }),
      renameDevice: (deviceId, deviceName) => queue.do("renameDevice", { deviceId, deviceName }),
      removeDevice: (deviceId) => queue.do("removeDevice", deviceId),
      putCode: (code) => queue.do("putCode", code),
      claimCode: (claim) => queue.do("claimCode", claim),
      removeAppToken: (tokenHash) => queue.do("removeAppToken", tokenHash),
      removePairing: (deviceId, pairingId) => queue.do("removePairing", { deviceId, pairingId }),
      noteSeen: (seen) => queue.do("noteSeen", seen),
    };
    this.packages = {
      ...packageReads(reading),
      insert: (record, terms) => queue.do("insertPackage", { record, terms }),
      update: (record) => queue.do("updatePackage", record),
      remove: (packageId, version) => queue.do("removePackage", { packageId, version }),
      forgetOld: (now) => queue.do("forgetOld", now),
    };
  }

  /**
   * Opens the database of a data folder that exists; makes it where there is none.
   * @throws {DatabaseTooNewError} when a newer relay wrote it
   */
  static async open(folder: string): Promise<SqliteDatabase> {
    const queue = await WriteQueue.start(folder);
    return new SqliteDatabase(queue, openForReading(folder));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#queue[Symbol.asyncDispose]();
    this.#reading.close();
  }
}
