import type { PairingRecords } from "../../domain/ports.ts";
import { batchesOf } from "../../domain/upkeep/batches.ts";
import { findApp } from "./codes.ts";
import { findDevice, listDevices } from "./devices.ts";
import type { Engine } from "./engine.ts";
import { findRequest } from "./pairing-requests.ts";
import { listPairings, type Seen } from "./unpair.ts";

/** Devices, codes, pairings and tokens. */
export function pairingRecords(engine: Engine): PairingRecords {
  return {
    insertDevice: (device, tokenHash) => engine.change("insertDevice", { device, tokenHash }),
    changeDevice: (deviceId, change) => engine.change("changeDevice", { deviceId, ...change }),
    removeDevice: (deviceId) => engine.change("removeDevice", deviceId),
    listDevices: (which) => engine.readSlowly(listDevices(which)),
    findDevice: (tokenHash) => engine.read(findDevice(tokenHash)),
    findApp: (tokenHash) => engine.read(findApp(tokenHash)),
    listPairings: (deviceId) => engine.read(listPairings(deviceId)),
    setCode: (deviceId, code) => engine.change("setCode", { deviceId, code }),
    claimCode: (claim) => engine.change("claimCode", claim),
    repeatClaim: (repeat) => engine.change("repeatClaim", repeat),
    askToPair: (ask) => engine.change("askToPair", ask),
    findRequest: (deviceId, now) => engine.read(findRequest(deviceId, now)),
    answerRequest: (answer) => engine.change("answerRequest", answer),
    unpair: (what, now) => engine.change("unpair", { what, now }),
    noteSeen: async ({ devices, pairings }) => {
      const seen = [...seenOf("device", devices), ...seenOf("pairing", pairings)];
      for (const batch of batchesOf(seen)) await engine.change("noteSeen", batch);
    },
  };
}

function seenOf(what: Seen["what"], times: ReadonlyMap<string, number>): readonly Seen[] {
  return [...times].map(([id, at]) => ({ what, id, at }));
}
