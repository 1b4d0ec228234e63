import type { DatabaseSync } from "node:sqlite";
import type { Removal } from "../removals-log.ts";
import { decisionReplayer } from "./replay-decisions.ts";
import { packageWrites } from "./package-writes.ts";
import { pairingWrites } from "./pairing-writes.ts";
import { number, text } from "../rows.ts";

/**
 * Returns a function that removes once more what was removed (rule Z11), and says whether it was there. Runs inside
 * its caller's transaction. Ids are never used twice, so a removal can be replayed at any time.
 */
export function removalReplayer(database: DatabaseSync): (removal: Removal) => boolean {
  const pairings = pairingWrites(database);
  const packages = packageWrites(database);
  const device = database.prepare("SELECT 1 FROM devices WHERE device_id = ?");
  const pairing = database.prepare("SELECT device_id FROM pairings WHERE pairing_id = ?");
  const token = database.prepare("SELECT 1 FROM app_tokens WHERE token_hash = ?");
  const version = database.prepare("SELECT version FROM packages WHERE package_id = ?");
  const replayDecision = decisionReplayer(database);

  return (removal) => {
    const { kind, id, at } = removal;
    switch (kind) {
      case "device":
        if (device.get(id) === undefined) return false;
        pairings.removeDevice(id);
        return true;
      case "pairing": {
        const row = pairing.get(id);
        if (row === undefined) return false;
        pairings.removePairing({ deviceId: text(row["device_id"]), pairingId: id, now: at });
        return true;
      }
      case "token":
        if (token.get(id) === undefined) return false;
        pairings.removeAppToken({ tokenHash: id, now: at });
        return true;
      case "package": {
        const row = version.get(id);
        if (row === undefined) return false;
        const stored = { packageId: id, version: number(row["version"]), isWithdrawn: true };
        return packages.removePackage(stored);
      }
      default:
        return replayDecision(removal);
    }
  };
}
