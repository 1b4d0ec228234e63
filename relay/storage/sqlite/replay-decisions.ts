import type { DatabaseSync } from "node:sqlite";
import { parseAddressRange } from "../../../core/quotas/address-tiers.ts";
import type { Removal } from "../removals-log.ts";
import { sumDenier } from "./denial-writes.ts";
import { deviceRevoker } from "./operator-removals.ts";

/**
 * Returns a function that decides once more what an operator decided (rule AD8), and says whether that changed
 * anything. Runs inside its caller's transaction.
 */
export function decisionReplayer(database: DatabaseSync): (removal: Removal) => boolean {
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
