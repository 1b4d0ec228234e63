import type { DatabaseSync } from "node:sqlite";
import { parseAddressRange } from "../../../core/quotas/address-tiers.ts";
import type { Removal } from "../removals-log.ts";
import { number, text } from "../records/rows.ts";
import { sumDenier } from "./operator-decisions.ts";
import { deviceRevoker } from "./operator-removals.ts";
import { packageWrites } from "./package-writes.ts";
import { pairingWrites } from "./pairing-writes.ts";

/**
 * Returns a function that repeats a removal (rule Z11), and returns true if there was something to remove. It runs
 * inside its caller's transaction. Ids are never used twice, so a removal can be replayed at any time.
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

/**
 * Returns a function that repeats an operator's decision (rule AD8), and returns true if that changed anything. It
 * runs inside its caller's transaction.
 */
function decisionReplayer(database: DatabaseSync): (removal: Removal) => boolean {
  const revoke = deviceRevoker(database);
  const isRevoked = database.prepare(
    "SELECT 1 FROM devices WHERE device_id = ?1 AND token_hash = 'revoked ' || ?1",
  );
  const deny = sumDenier(database);
  const allow = database.prepare("DELETE FROM denied_sounds WHERE sha256 = ?");
  const block = database.prepare(
    "INSERT OR IGNORE INTO blocks (subject, kind, blocked_at) VALUES (?, ?, ?)",
  );
  const unblock = database.prepare("DELETE FROM blocks WHERE subject = ?");
  const device = database.prepare("SELECT 1 FROM devices WHERE device_id = ?");

  const replayBlock = (subject: string, at: number): boolean => {
    const isAddress = parseAddressRange(subject) !== undefined;
    if (!isAddress && device.get(subject) === undefined) return false;
    return block.run(subject, isAddress ? "address" : "device", at).changes > 0;
  };

  return ({ kind, id, at }) => {
    switch (kind) {
      case "revoked":
        return isRevoked.get(id) === undefined && revoke(id, at) !== undefined;
      case "denied":
        return deny(id, at).isNew;
      case "allowed":
        return allow.run(id).changes > 0;
      case "blocked":
        return replayBlock(id, at);
      case "unblocked":
        return unblock.run(id).changes > 0;
      default:
        return false;
    }
  };
}
