import { DatabaseSync } from "node:sqlite";
import type { PackageRecords, PairingRecords } from "../../../relay/domain/ports.ts";
import { RecordCache } from "../../../relay/storage/sqlite/record-cache.ts";
import { packageReads } from "../../../relay/storage/sqlite/package-reads.ts";
import { pairingReads } from "../../../relay/storage/sqlite/pairing-reads.ts";
import { columnsOf, newColumnsOf } from "../../../relay/storage/sqlite/rows.ts";
import { MIGRATIONS } from "../../../relay/storage/sqlite/schema.ts";
import { allWrites } from "../../../relay/storage/sqlite/writes.ts";

/** The relay's own SQL on a database in memory, without the thread that writes: it opens in a millisecond. */
export function sqliteInMemory(): {
  readonly pairings: PairingRecords;
  readonly packages: PackageRecords;
  readonly close: () => void;
} {
  const database = new DatabaseSync(":memory:");
  for (const step of MIGRATIONS) database.exec(step);
  const kept = new RecordCache();
  const writes = allWrites(database);
  const write = async <Result>(change: () => Result): Promise<Result> => {
    database.exec("BEGIN");
    try {
      const result = change();
      database.exec("COMMIT");
      return result;
    } catch (error) {
      database.exec("ROLLBACK");
      throw error;
    } finally {
      kept.markStale();
    }
  };
  return {
    close: () => database.close(),
    pairings: {
      ...pairingReads(database),
      insertDevice: (device, tokenHash) => write(() => writes.insertDevice({ device, tokenHash })),
      renameDevice: (deviceId, deviceName) =>
        write(() => writes.renameDevice({ deviceId, deviceName })),
      removeDevice: (deviceId) => write(() => writes.removeDevice(deviceId)),
      putCode: (code) => write(() => writes.putCode(code)),
      removeCode: (deviceId) => write(() => writes.removeCode(deviceId)),
      claimCode: (claim) => write(() => writes.claimCode(claim)),
      removeAppToken: (tokenHash) => write(() => writes.removeAppToken(tokenHash)),
      removePairing: (deviceId, pairingId) =>
        write(() => writes.removePairing({ deviceId, pairingId })),
      noteSeen: (seen) => write(() => writes.noteSeen(seen)),
    },
    packages: {
      ...packageReads(database, kept),
      insert: (record, options) =>
        write(() =>
          writes.insertPackage({
            columns: newColumnsOf(record),
            manifest: JSON.stringify(record.manifest),
            options,
          }),
        ),
      update: (record) =>
        write(() =>
          writes.updatePackage({
            packageId: record.packageId,
            version: record.version,
            columns: columnsOf(record),
          }),
        ),
      remove: (packageId, version) => write(() => writes.removePackage({ packageId, version })),
      forgetOld: (now) => write(() => writes.forgetOld(now)),
    },
  };
}
