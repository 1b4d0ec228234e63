import type { DatabaseSync } from "node:sqlite";
import { judgeAsk } from "../../domain/pairing/pairing-consent.ts";
import type { PairingAnswer, PairingAsk, PairingAsked } from "../../domain/ports.ts";
import { number, pairingRequestOf, text } from "../rows.ts";

/** The writes for claims that wait for consent (rule P12). Each runs inside its caller's transaction. */
export function pairingRequestWrites(database: DatabaseSync) {
  const code = database.prepare(
    "SELECT device_id, expires_at FROM pairing_codes WHERE code_hash = ? AND expires_at > ? AND expires_at <= ?",
  );
  const request = database.prepare("SELECT * FROM pairing_requests WHERE device_id = ?");
  const put = database.prepare(
    `INSERT OR REPLACE INTO pairing_requests
     (device_id, request_id, app_id, app_name, address, network, expires_at, state)
     VALUES (?, ?, ?, ?, ?, ?, ?, 'asked')`,
  );
  const dispute = database.prepare(
    "UPDATE pairing_requests SET state = 'disputed' WHERE device_id = ?",
  );
  const allow = database.prepare(
    `UPDATE pairing_requests SET state = 'allowed', allowed_at = ?3
     WHERE device_id = ?1 AND request_id = ?2 AND state = 'asked' AND expires_at > ?3`,
  );
  const deny = database.prepare(
    `DELETE FROM pairing_requests
     WHERE device_id = ? AND request_id = ? AND state = 'asked' AND expires_at > ?`,
  );
  const endCode = database.prepare("DELETE FROM pairing_codes WHERE device_id = ?");
  return {
    askToPair(ask: PairingAsk): PairingAsked | undefined {
      const found = code.get(ask.codeHash, ask.now, ask.latestEnd);
      if (found === undefined) return undefined;
      const deviceId = text(found["device_id"]);
      const row = request.get(deviceId);
      const outcome = judgeAsk(row && pairingRequestOf(row), ask);
      if (outcome === "asked") {
        const { requestId, appId, appName, address, network } = ask;
        const expiresAt = number(found["expires_at"]);
        put.run(deviceId, requestId, appId, appName, address, network, expiresAt);
      } else if (outcome === "disputed") {
        dispute.run(deviceId);
        endCode.run(deviceId);
      }
      return { deviceId, outcome };
    },
    answerPairing({ deviceId, requestId, isAllowed, now }: PairingAnswer): boolean {
      if (isAllowed) return allow.run(deviceId, requestId, now).changes === 1;
      if (deny.run(deviceId, requestId, now).changes === 0) return false;
      endCode.run(deviceId);
      return true;
    },
  };
}
