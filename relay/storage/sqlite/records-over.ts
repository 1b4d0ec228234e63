import type { DatabaseSync } from "node:sqlite";
import {
  type OperatorRecords,
  type PackageRecords,
  type PairingRecords,
  type PairingRequests,
  type Records,
  type ResumingSoundKeys,
  SWITCHES,
  type SwitchName,
} from "../../domain/ports.ts";
import { type NamingOptions, namingTrouble } from "../naming-trouble.ts";
import {
  appTokenOf,
  columnsOf,
  deviceOf,
  newColumnsOf,
  number,
  pairingOf,
  pairingRequestOf,
  text,
} from "../rows.ts";
import { packageReads } from "./package-reads.ts";
import type { RecordCache } from "./record-cache.ts";
import { APP_OF_TOKEN } from "./repeated-claims.ts";
import type { Write } from "./writes.ts";

/** The parts that the records are made of. */
interface RecordsDeps {
  /** A connection that sees every write of `write` before it resolves. */
  readonly reading: DatabaseSync;
  readonly write: Write;
  /** Cache that the caller marks stale when another connection has written. */
  readonly cache: RecordCache;
  /** Naming of the queries' errors. */
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
  // These writes remove packages, too.
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
    repeatClaim: (repeat) => write("repeatClaim", repeat),
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
    // A refusal marks it stale, too: the caller then reads what another process wrote.
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
    remove: (keys) => write("removeKeys", keys),
  };
}

/** Returns the database's path, or a name for a database in memory. */
export function locationOf(database: DatabaseSync): string {
  return database.location() ?? "The database";
}

type Reads = Pick<
  PairingRecords,
  "findDeviceByToken" | "listDevicesUnseenSince" | "findAppByToken" | "listPairings"
>;

/** The queries for devices, pairings and tokens, over a read-only connection. */
function pairingReads(database: DatabaseSync): Reads {
  const device = database.prepare("SELECT * FROM devices WHERE token_hash = ?");
  const unseen = database.prepare("SELECT device_id FROM devices WHERE last_seen_at < ?");
  const app = database.prepare(APP_OF_TOKEN);
  const pairings = database.prepare(
    "SELECT * FROM pairings WHERE device_id = ? ORDER BY paired_at, pairing_id",
  );
  return {
    findDeviceByToken: async (tokenHash) => {
      const row = device.get(tokenHash);
      return row === undefined ? undefined : deviceOf(row);
    },
    listDevicesUnseenSince: async (time) => unseen.all(time).map((row) => text(row["device_id"])),
    findAppByToken: async (tokenHash) => {
      const row = app.get(tokenHash);
      return row === undefined ? undefined : appTokenOf(row);
    },
    listPairings: async (deviceId) => pairings.all(deviceId).map(pairingOf),
  };
}

/** The query for claims that wait for consent, over a read-only connection. */
function pairingRequestReads(database: DatabaseSync): Pick<PairingRequests, "find"> {
  const find = database.prepare(
    "SELECT * FROM pairing_requests WHERE device_id = ? AND expires_at > ?",
  );
  return {
    find: async (deviceId, now) => {
      const row = find.get(deviceId, now);
      return row === undefined ? undefined : pairingRequestOf(row);
    },
  };
}

/** The queries for the keys of sounds that no package has, over a read-only connection. */
function soundKeyReads(
  database: DatabaseSync,
): Pick<ResumingSoundKeys, "listDoomed" | "findPartials"> {
  const doomed = database.prepare(
    "SELECT key FROM sound_keys WHERE state = 'doomed' AND key > ? ORDER BY key LIMIT +?",
  );
  const partials = database.prepare(
    "SELECT file, key, stored_bytes FROM partials WHERE package_id = ?",
  );
  return {
    findPartials: async (packageId) =>
      new Map(
        partials.all(packageId).map((row) => {
          const partial = { key: text(row["key"]), storedBytes: number(row["stored_bytes"]) };
          return [text(row["file"]), partial];
        }),
      ),
    listDoomed: async ({ after = "", limit }) =>
      doomed.all(after, limit).map((row) => text(row["key"])),
  };
}

/** An operator's decisions, over a read-only connection and the writes. */
export function operatorRecords(
  reading: DatabaseSync,
  write: Write,
  naming?: NamingOptions,
): OperatorRecords {
  return namingTrouble(unnamedRecords(reading, write), locationOf(reading), naming);
}

function unnamedRecords(reading: DatabaseSync, write: Write): OperatorRecords {
  const blocks = reading.prepare("SELECT subject FROM blocks WHERE kind = ?");
  const switches = reading.prepare("SELECT name, sentence FROM switches");
  const denied = reading.prepare(
    "SELECT sha256 FROM json_each(?) AS asked JOIN denied_sounds ON sha256 = asked.value",
  );
  const neverPaired = reading.prepare(
    "SELECT device_id FROM devices WHERE has_paired = 0 AND last_seen_at < ?",
  );
  const old = reading.prepare("SELECT 1 FROM operator_log WHERE at < ? LIMIT 1");
  return {
    readDecisions: async () => ({
      addresses: blocks.all("address").map((row) => text(row["subject"])),
      devices: blocks.all("device").map((row) => text(row["subject"])),
      off: new Map(
        switches.all().flatMap(({ name, sentence }) => {
          const known = SWITCHES.find((each) => each === name);
          const own = sentence === null ? undefined : text(sentence);
          return known === undefined ? [] : [[known, own] satisfies [SwitchName, unknown]];
        }),
      ),
    }),
    findDenied: async (sums) =>
      new Set(denied.all(JSON.stringify(sums)).map((row) => text(row["sha256"]))),
    listNeverPaired: async (unseenSince) =>
      neverPaired.all(unseenSince).map((row) => text(row["device_id"])),
    forgetLog: async (before) => {
      // Every sweep calls this, and it mustn't cost a flush.
      if (old.get(before) !== undefined) await write("forgetOperatorLog", before);
    },
  };
}
