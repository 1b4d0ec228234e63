import type { AppTokenRecord, ClaimRepeat, CodeClaim, PairingRecords } from "../../domain/ports.ts";
import { appTokenOf, type Row } from "../rows.ts";
import type { Connections, Transaction } from "./connections.ts";
import { LOCK_DEVICE } from "./lock-order.ts";
import { sendNotices } from "./notices.ts";
import { statement } from "./statement.ts";

export const APP_OF_TOKEN = statement(
  "find_app",
  `SELECT pairings.*, devices.device_name, import_days, first_import_day, last_import_day FROM app_tokens
   JOIN pairings USING (pairing_id) JOIN devices USING (device_id) WHERE app_tokens.token_hash = $1`,
);
const HAS_TOKEN = statement("has_token", "SELECT 1 FROM app_tokens WHERE token_hash = $1");
const MAKE_REPEATABLE = statement(
  "make_repeatable",
  `INSERT INTO repeatable_claims (repeat_hash, token_hash, arrived_at, ends_at) VALUES ($1, $2, $3, $4)
   ON CONFLICT (repeat_hash) DO UPDATE SET token_hash = excluded.token_hash,
     arrived_at = excluded.arrived_at, ends_at = excluded.ends_at`,
);
const DEVICE_OF_CLAIM = statement(
  "device_of_claim",
  `SELECT device_id FROM repeatable_claims JOIN app_tokens USING (token_hash) JOIN pairings USING (pairing_id)
   WHERE repeat_hash = $1`,
);
const OVERTAKE = statement(
  "overtake_claim",
  `UPDATE repeatable_claims SET arrived_at = $2
   WHERE repeat_hash = $1 AND arrived_at <= $2 AND ends_at > $3 AND ends_at <= $4 RETURNING token_hash`,
);
const REPLACE_TOKEN = statement(
  "replace_token",
  "UPDATE app_tokens SET token_hash = $2 WHERE token_hash = $1",
);

/** Keeps a claim as part of its transaction, so that it can be repeated (rule P13). */
export function keepRepeatable(tx: Transaction, { repeatable, tokenHash }: CodeClaim): void {
  if (repeatable === undefined) return;
  const { repeatHash, arrivedAt, endsAt } = repeatable;
  tx.send(MAKE_REPEATABLE, [repeatHash, tokenHash, arrivedAt, endsAt]);
}

export function claimRepeats(connections: Connections): Pick<PairingRecords, "repeatClaim"> {
  return {
    repeatClaim: (repeat) =>
      connections.transaction((tx) => repeatClaim(tx, repeat), hasToken(connections, repeat)),
  };
}

async function repeatClaim(
  tx: Transaction,
  { repeatHash, arrivedAt, tokenHash, now, latestEnd }: ClaimRepeat,
): Promise<AppTokenRecord | undefined> {
  const [found] = await tx.query<{ device_id: string }>(DEVICE_OF_CLAIM, [repeatHash]);
  if (found === undefined) return undefined;
  tx.send(LOCK_DEVICE, [found.device_id]);
  const claim = [repeatHash, arrivedAt, now, latestEnd];
  const [earlier] = await tx.query<{ token_hash: string }>(OVERTAKE, claim);
  if (earlier === undefined) return undefined;
  tx.send(REPLACE_TOKEN, [earlier.token_hash, tokenHash]);
  const [row] = await tx.query<Row>(APP_OF_TOKEN, [tokenHash]);
  if (row === undefined) return undefined;
  const pairing = appTokenOf(row);
  const topic = `pairing:${pairing.pairingId}` as const;
  sendNotices(tx, [{ topic: "store" }, { topic, notification: { type: "apps.changed" } }]);
  return pairing;
}

/** Looks whether a claim whose COMMIT was cut off has its token. */
export function hasToken(connections: Connections, { tokenHash }: Pick<CodeClaim, "tokenHash">) {
  return {
    ifUnknown: async () => (await connections.readSlowly(HAS_TOKEN, [tokenHash])).length === 1,
  };
}
