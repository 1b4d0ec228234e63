import type { AppTokenRecord, ClaimRepeat, CodeClaim, PairingCode } from "../../domain/ports.ts";
import { change } from "./change.ts";
import { deleteOfDevice } from "./devices.ts";
import { LOCK_DEVICE, lockDevice } from "./locks.ts";
import { appsChanged, STORE_CHANGED } from "./notices.ts";
import {
  IMPORT_COLUMNS,
  type MembersOf,
  QUOTA_COLUMNS,
  type RowOf,
  withImports,
  withQuota,
} from "./rows.ts";
import {
  ask,
  hasRows,
  noteRemoval,
  notify,
  statement,
  tell,
  Undone,
  type Work,
} from "./statement.ts";
import { insertInto, membersOf, putInto } from "./schema.ts";

const FREE_HASH = statement(
  "free_code",
  "DELETE FROM pairing_codes WHERE code_hash = :codeHash AND expires_at <= :now",
);
// Another device may have put the same code in the meantime.
const PUT = statement(
  "put_code",
  `${insertInto("pairing_codes")} ON CONFLICT (code_hash) DO NOTHING RETURNING device_id`,
);
/** Ends a device's code. */
export const END_CODE = deleteOfDevice("pairing_codes");
const END_REQUEST = deleteOfDevice("pairing_requests");
const VALID = "code_hash = :codeHash AND expires_at > :now AND expires_at <= :latestEnd";
/** Finds a code that is valid. */
export const FIND_CODE = statement<RowOf<"pairing_codes">>(
  "find_code",
  `SELECT device_id, code_hash, expires_at FROM pairing_codes WHERE ${VALID}`,
);
const USE = statement(
  "use_code",
  `DELETE FROM pairing_codes WHERE ${VALID} AND device_id = :deviceId RETURNING device_id`,
);
const PAIR = statement<RowOf<"pairings", "pairing_id">>(
  "pair",
  `${insertInto("pairings")} ON CONFLICT (device_id, app_id) DO UPDATE SET
     app_name = excluded.app_name, paired_at = excluded.paired_at, last_seen_at = excluded.last_seen_at
   RETURNING pairing_id`,
);
const NOTE_PAIRED = statement(
  "note_first_pairing",
  "UPDATE devices SET has_paired = 1 WHERE device_id = :deviceId AND has_paired = 0",
);
const ADD_TOKEN = statement(
  "add_token",
  `INSERT INTO app_tokens (token_hash, pairing_id, made)
   VALUES (:tokenHash, :pairingId,
     (SELECT coalesce(max(made), 0) + 1 FROM app_tokens WHERE pairing_id = :pairingId))`,
);
const DROP_OLD_TOKENS = statement<RowOf<"app_tokens", "token_hash">>(
  "drop_old_tokens",
  `DELETE FROM app_tokens WHERE pairing_id = :pairingId AND token_hash NOT IN (
     SELECT token_hash FROM app_tokens WHERE pairing_id = :pairingId
     ORDER BY made DESC LIMIT 0 + :maxTokens)
   RETURNING token_hash`,
);
/** Looks whether a token is valid. */
export const HAS_TOKEN = statement(
  "has_token",
  "SELECT 1 FROM app_tokens WHERE token_hash = :tokenHash",
);
const MAKE_REPEATABLE = statement("make_repeatable", putInto("repeatable_claims"));
const DEVICE_OF_CLAIM = statement<RowOf<"pairings", "device_id">>(
  "device_of_claim",
  `SELECT device_id FROM repeatable_claims JOIN app_tokens USING (token_hash)
     JOIN pairings USING (pairing_id)
   WHERE repeat_hash = :repeatHash`,
);
const OVERTAKE = statement<RowOf<"app_tokens", "token_hash">>(
  "overtake_claim",
  `UPDATE repeatable_claims SET arrived_at = :arrivedAt
   WHERE repeat_hash = :repeatHash AND arrived_at <= :arrivedAt AND ends_at > :now
     AND ends_at <= :latestEnd
   RETURNING token_hash`,
);
const REPLACE_TOKEN = statement(
  "replace_token",
  "UPDATE app_tokens SET token_hash = :tokenHash WHERE token_hash = :replaced",
);
const DEVICE_OF_APP = ["device_name", ...IMPORT_COLUMNS, ...QUOTA_COLUMNS] as const;
const APP_OF_TOKEN = statement<
  MembersOf<"pairings"> & MembersOf<"devices", (typeof DEVICE_OF_APP)[number]>
>(
  "find_app",
  `SELECT ${membersOf("pairings")}, ${membersOf("devices", DEVICE_OF_APP)}
   FROM app_tokens JOIN pairings USING (pairing_id) JOIN devices USING (device_id)
   WHERE app_tokens.token_hash = :tokenHash`,
);

export const CODE_CHANGES = {
  setCode: change(setCode, { ifUnknown: "repeat" }),
  claimCode: change(claimCode, { ifUnknown: hasToken }),
  repeatClaim: change(repeatClaim, { ifUnknown: hasToken }),
};

function* setCode({
  deviceId,
  code,
}: {
  readonly deviceId: string;
  readonly code: PairingCode | null;
}): Work<boolean> {
  if (code === null) {
    yield* tell(LOCK_DEVICE({ deviceId }), END_CODE({ deviceId }), END_REQUEST({ deviceId }));
    return true;
  }
  if (!(yield* lockDevice(deviceId))) throw new Error(`There is no device ${deviceId}.`);
  yield* tell(FREE_HASH({ ...code }), END_CODE({ deviceId }));
  if (!(yield* hasRows(PUT({ ...code, deviceId })))) throw new Undone(false);
  yield* tell(END_REQUEST({ deviceId }));
  return true;
}

function* claimCode(claim: CodeClaim): Work<AppTokenRecord | undefined> {
  const { codeHash, now, latestEnd, appId, appName, tokenHash, maxTokens, repeatable } = claim;
  const code = { codeHash, now, latestEnd };
  const [found] = yield* ask(FIND_CODE(code));
  if (found === undefined) return undefined;
  const deviceId = found.device_id;
  yield* tell(LOCK_DEVICE({ deviceId }));
  if (!(yield* hasRows(USE({ ...code, deviceId })))) return undefined;
  yield* tell(END_REQUEST({ deviceId }));
  const pairing = { pairingId: claim.pairingId, deviceId, appId, appName };
  const [paired] = yield* ask(PAIR({ ...pairing, pairedAt: now, lastSeenAt: now }));
  const pairingId = paired?.pairing_id ?? claim.pairingId;
  yield* tell(NOTE_PAIRED({ deviceId }), ADD_TOKEN({ tokenHash, pairingId }));
  if (repeatable !== undefined) yield* tell(MAKE_REPEATABLE({ ...repeatable, tokenHash }));
  for (const old of yield* ask(DROP_OLD_TOKENS({ pairingId, maxTokens }))) {
    yield* noteRemoval("token", old.token_hash);
  }
  // An earlier pairing may have another name now, and may have lost a token: other processes remember both.
  const isKnown = pairingId !== claim.pairingId;
  yield* notify(
    ...(isKnown ? [STORE_CHANGED] : []),
    { topic: `device:${deviceId}`, notification: { type: "code.used", app_name: appName } },
    appsChanged(`device:${deviceId}`),
  );
  return yield* findApp(tokenHash);
}

function* repeatClaim(repeat: ClaimRepeat): Work<AppTokenRecord | undefined> {
  const { repeatHash, arrivedAt, tokenHash, now, latestEnd } = repeat;
  const [found] = yield* ask(DEVICE_OF_CLAIM({ repeatHash }));
  if (found === undefined) return undefined;
  yield* tell(LOCK_DEVICE({ deviceId: found.device_id }));
  const [earlier] = yield* ask(OVERTAKE({ repeatHash, arrivedAt, now, latestEnd }));
  if (earlier === undefined) return undefined;
  yield* tell(REPLACE_TOKEN({ tokenHash, replaced: earlier.token_hash }));
  yield* noteRemoval("token", earlier.token_hash);
  const pairing = yield* findApp(tokenHash);
  if (pairing === undefined) return undefined;
  yield* notify(STORE_CHANGED, appsChanged(`pairing:${pairing.pairingId}`));
  return pairing;
}

/** Looks whether a claim has its token. */
function hasToken({ tokenHash }: Pick<CodeClaim, "tokenHash">): Work<boolean> {
  return hasRows(HAS_TOKEN({ tokenHash }));
}

/** Finds the app of a token, with its device. */
export function* findApp(tokenHash: string): Work<AppTokenRecord | undefined> {
  const [row] = yield* ask(APP_OF_TOKEN({ tokenHash }));
  return row && withQuota(withImports(row));
}
