import type { PairingRecords } from "../../domain/ports.ts";
import { batchesOf } from "../../domain/upkeep/batches.ts";
import { findDevice, listUnseen } from "./devices.ts";
import type { Engine } from "./engine.ts";
import { findRequest } from "./pairing-requests.ts";
import { findApp, listPairings, type Seen } from "./unpair.ts";

/** Devices, codes, pairings and tokens. */
export function pairingRecords(engine: Engine): PairingRecords {
  return {
    insertDevice: (device, tokenHash) => engine.change("insertDevice", { device, tokenHash }),
    findDeviceByToken: (tokenHash) => engine.read(findDevice(tokenHash)),
    renameDevice: (deviceId, deviceName) => engine.change("renameDevice", { deviceId, deviceName }),
    noteImport: async (deviceId, day) =>
      void (await engine.change("noteImport", { deviceId, day })),
    removeDevice: (deviceId) => engine.change("removeDevice", deviceId),
    listDevicesUnseenSince: (time) => engine.readSlowly(listUnseen(time)),
    putCode: (code) => engine.change("putCode", code),
    removeCode: (deviceId) => engine.change("removeCode", deviceId),
    claimCode: (claim) => engine.change("claimCode", claim),
    repeatClaim: (repeat) => engine.change("repeatClaim", repeat),
    requests: {
      ask: (ask) => engine.change("askToPair", ask),
      find: (deviceId, now) => engine.read(findRequest(deviceId, now)),
      answer: (answer) => engine.change("answerPairing", answer),
    },
    findAppByToken: (tokenHash) => engine.read(findApp(tokenHash)),
    listPairings: (deviceId) => engine.read(listPairings(deviceId)),
    removeAppToken: (tokenHash, now) => engine.change("removeAppToken", { tokenHash, now }),
    removePairing: (deviceId, pairingId, now) =>
      engine.change("removePairing", { deviceId, pairingId, now }),
    noteSeen: async ({ devices, pairings }) => {
      for (const batch of seenBatches(devices)) await engine.change("seeDevices", batch);
      for (const batch of seenBatches(pairings)) await engine.change("seePairings", batch);
    },
  };
}

function seenBatches(times: ReadonlyMap<string, number>): Iterable<readonly Seen[]> {
  return batchesOf([...times].map(([id, at]) => ({ id, at })));
}
