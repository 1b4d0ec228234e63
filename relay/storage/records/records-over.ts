import type {
  PairingRecords,
  PartialTurns,
  PendingEnd,
  RecordStore,
  SoundKeys,
  StoreUpkeep,
} from "../../domain/ports.ts";
import { batchesOf } from "../../domain/upkeep/batches.ts";
import { findApp } from "./codes.ts";
import { findDenied, readDecisions } from "./decisions.ts";
import { findDevice, listDevices } from "./devices.ts";
import type { Engine } from "./engine.ts";
import { listWithFiles } from "./named-sounds.ts";
import { packageRecords } from "./package-records.ts";
import { findRequest } from "./pairing-requests.ts";
import { findKey } from "./registration-keys.ts";
import { findPartials, listEndedPartials, listKeys } from "./sound-keys.ts";
import { listPairings, listUnseen, type Seen } from "./unpair.ts";
import { DatabaseUse } from "./database-use.ts";
import { findUnknown, type Kept, keptOf, readState } from "./upkeep.ts";

const TRY_EVERY_MS = 1000;

export type RecordsOver = Required<
  Pick<RecordStore, "pairings" | "packages" | "soundKeys" | "upkeep" | "operatorRecords">
>;

/** The records over a database. @param turns where several processes share it */
export function recordsOver(engine: Engine, turns?: PartialTurns): RecordsOver {
  const use = new DatabaseUse(engine);
  return {
    pairings: pairingRecords(engine, use),
    packages: packageRecords(engine),
    soundKeys: soundKeys(engine, turns),
    upkeep: storeUpkeep(engine, use),
    operatorRecords: {
      readDecisions: () => engine.read(readDecisions()),
      findDenied: (sums) => engine.read(findDenied(sums)),
      findKey: (keyHash) => engine.read(findKey(keyHash)),
    },
  };
}

function pairingRecords(engine: Engine, use: DatabaseUse): PairingRecords {
  return {
    insertDevice: (device, tokenHash, key) =>
      engine.change("insertDevice", { device, tokenHash, key }),
    changeDevice: (deviceId, change) => engine.change("changeDevice", { deviceId, ...change }),
    removeDevice: (deviceId) => engine.change("removeDevice", deviceId),
    listDevices: (which) => engine.readSlowly(listDevices(which)),
    findDevice: (tokenHash) => engine.read(findDevice(tokenHash)),
    findApp: (tokenHash) => engine.read(findApp(tokenHash)),
    listPairings: (deviceId) => engine.read(listPairings(deviceId)),
    listUnseen: (since, limit) => engine.readSlowly(listUnseen(since, limit)),
    setCode: (deviceId, code) => engine.change("setCode", { deviceId, code }),
    claimCode: (claim) => engine.change("claimCode", claim),
    repeatClaim: (repeat) => engine.change("repeatClaim", repeat),
    askToPair: (ask) => engine.change("askToPair", ask),
    findRequest: (deviceId, now) => engine.read(findRequest(deviceId, now)),
    answerRequest: (answer) => engine.change("answerRequest", answer),
    unpair: (what, now) => engine.change("unpair", { what, now }),
    noteSeen: async ({ devices, pairings }) => {
      const seen = [...seenOf("devices", devices), ...seenOf("pairings", pairings)];
      for (const batch of batchesOf(seen)) {
        await use.aside(() => engine.change("noteSeen", batch));
      }
    },
  };
}

function seenOf(of: Seen["of"], times: ReadonlyMap<string, number>): readonly Seen[] {
  return [...times].map(([id, at]) => ({ of, id, at }));
}

function soundKeys(engine: Engine, turns?: PartialTurns): SoundKeys {
  return {
    ...(turns && { turns }),
    addPending: (key, endsAt) =>
      engine.change("addPending", { key, endsAt, writer: engine.process }),
    beginPartial: (partial) => engine.change("beginPartial", partial),
    findPartials: (packageId) => engine.read(findPartials(packageId)),
    keepPartial: (partial) => engine.change("keepPartial", partial),
    doom: (keys) =>
      "partial" in keys
        ? engine.change("endPartials", { keys: [keys.partial], turn: keys.turn })
        : doomEnded(engine, keys),
    list: (page) => engine.readSlowly(listKeys(page)),
    remove: (keys) => engine.change("removeKeys", keys),
  };
}

async function doomEnded(engine: Engine, ended: PendingEnd): Promise<void> {
  await engine.change("doomPending", ended.endedBy);
  for (;;) {
    const keys = await engine.readSlowly(listEndedPartials(ended));
    if (keys.length === 0) return;
    await engine.change("endPartials", { keys });
  }
}

function storeUpkeep(engine: Engine, use: DatabaseUse): StoreUpkeep {
  const keep = (values: Kept) => engine.change("keepUpkeep", values);
  // The value differs each time, because SQLite doesn't write a row that stays the same.
  const tryChange = sharedFor(TRY_EVERY_MS, () => keep({ tried: String(performance.now()) }));
  return {
    read: () => engine.read(readState()),
    keep: (state, options) => use.write(() => keep(keptOf(state)), options),
    proposeInstance: (instanceId) => engine.change("proposeInstance", instanceId),
    keepScrub: (kept) => engine.change("keepScrub", kept),
    tryChange: (options) => use.attempt(tryChange, options),
    findUnknown: (keys) => engine.readSlowly(findUnknown(keys)),
    listWithFiles: (part) => engine.readSlowly(listWithFiles(part)),
  };
}

/** One call at a time, whose outcome later calls share for a while after it has ended. */
function sharedFor(ms: number, act: () => Promise<void>): () => Promise<void> {
  let shared: Promise<void> | undefined;
  return () => {
    shared ??= act().finally(() => setTimeout(() => (shared = undefined), ms).unref());
    return shared;
  };
}
