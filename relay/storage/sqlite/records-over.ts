import type { DatabaseSync } from "node:sqlite";
import { type NamingOptions, namingTrouble } from "../naming-trouble.ts";
import type {
  PackageRecords,
  PairingRecords,
  Records,
  ResumingSoundKeys,
} from "../../domain/ports.ts";
import { packageReads } from "./package-reads.ts";
import { pairingReads, pairingRequestReads } from "./pairing-reads.ts";
import type { RecordCache } from "./record-cache.ts";
import { columnsOf, newColumnsOf } from "../rows.ts";
import { soundKeyReads } from "./sound-key-reads.ts";
import type { Write } from "./writes.ts";

/** What the records are made of. */
export interface RecordsDeps {
  /** Sees every write of `write` before it resolves. */
  readonly reading: DatabaseSync;
  readonly write: Write;
  /** The caller marks it stale when another connection has written. */
  readonly cache: RecordCache;
  /** For the queries. */
  readonly naming?: NamingOptions;
}

/** The records over a connection for reading and the writes. */
export function recordsOver(parts: RecordsDeps): Omit<Records, "changes"> {
  return {
    pairings: pairingRecords(parts),
    packages: packageRecords(parts),
    soundKeys: soundKeys(parts),
  };
}

function pairingRecords({ reading, write, cache, naming }: RecordsDeps): PairingRecords {
  // These remove packages too.
  const writeMany: Write = (name, argument) =>
    write(name, argument).finally(() => cache.markStale());
  return {
    ...namingTrouble(pairingReads(reading), locationOf(reading), naming),
    insertDevice: (device, tokenHash) => write("insertDevice", { device, tokenHash }),
    renameDevice: (deviceId, deviceName) => write("renameDevice", { deviceId, deviceName }),
    noteImport: (deviceId, day) => write("noteImport", { deviceId, day }),
    removeDevice: (deviceId) => writeMany("removeDevice", deviceId),
    putCode: (code) => write("putCode", code),
    removeCode: (deviceId) => write("removeCode", deviceId),
    claimCode: (claim) => write("claimCode", claim),
    requests: {
      ...namingTrouble(pairingRequestReads(reading), locationOf(reading), naming),
      ask: (ask) => write("askToPair", ask),
      answer: (answer) => write("answerPairing", answer),
    },
    removeAppToken: (tokenHash, now) => writeMany("removeAppToken", { tokenHash, now }),
    removePairing: (deviceId, pairingId, now) =>
      writeMany("removePairing", { deviceId, pairingId, now }),
    noteSeen: (seen) => write("noteSeen", seen),
  };
}

function packageRecords({ reading, write, cache, naming }: RecordsDeps): PackageRecords {
  return {
    ...namingTrouble(packageReads(reading, cache), locationOf(reading), naming),
    insert: (record, options) =>
      write("insertPackage", {
        columns: newColumnsOf(record),
        manifest: JSON.stringify(record.manifest),
        options,
      }),
    // Also after a refusal: the caller then reads what another process wrote.
    update: (record, received) => {
      const { packageId, version } = record;
      const columns = columnsOf(record);
      return write("updatePackage", { packageId, version, columns, received }).finally(() =>
        cache.markStale(packageId),
      );
    },
    holdRoom: (packageId, options) =>
      write("holdRoom", { packageId, options }).finally(() => cache.markStale(packageId)),
    remove: (packageId, version, isWithdrawn = false) =>
      write("removePackage", { packageId, version, isWithdrawn }).finally(() =>
        cache.markStale(packageId),
      ),
    expire: (now, limit) =>
      write("expirePackages", { now, limit }).finally(() => cache.markStale()),
    forgetOld: (now) => write("forgetOld", now),
  };
}

function soundKeys({ reading, write, naming }: RecordsDeps): ResumingSoundKeys {
  return {
    ...namingTrouble(soundKeyReads(reading), locationOf(reading), naming),
    addPending: (key, endsAt, file) => write("addPending", { key, endsAt, file }),
    keepPartial: (partial) => write("keepPartial", partial),
    doomPartial: (key) => write("doomPartial", key),
    doomPending: (time, partialsTime = time) => write("doomPending", { time, partialsTime }),
    strike: (keys) => write("strike", keys),
  };
}

/** A database in memory has no path. */
export function locationOf(database: DatabaseSync): string {
  return database.location() ?? "The database";
}
