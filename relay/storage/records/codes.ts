import type { AppTokenRecord, ClaimRepeat, CodeClaim, PairingCode } from "../../domain/ports.ts";
import { change } from "./change.ts";
import { LOCK_DEVICE } from "./locks.ts";
import { appsChanged, STORE_CHANGED } from "./notices.ts";
import { appTokenOf, type Row } from "./rows.ts";
import { ask, noteRemoval, notify, statement, tell, Undone, type Work } from "./statement.ts";

interface DeviceRow {
  readonly device_id: string;
}

interface TokenRow {
  readonly token_hash: string;
}

const FREE_HASH = statement(
  "free_code",
  "DELETE FROM pairing_codes WHERE code_hash = :code_hash AND expires_at <= :now",
);
// Another device may have put the same code in the meantime.
const PUT = statement(
  "put_code",
  `INSERT INTO pairing_codes (device_id, code_hash, expires_at)
   VALUES (:device_id, :code_hash, :expires_at) ON CONFLICT (code_hash) DO NOTHING RETURNING device_id`,
);
/** Ends a device's code. */
export const END_CODE = statement(
  "end_code",
  "DELETE FROM pairing_codes WHERE device_id = :device_id",
);
const END_REQUEST = statement(
  "end_request",
  "DELETE FROM pairing_requests WHERE device_id = :device_id",
);
const DEVICE_OF_CODE = statement<DeviceRow>(
  "device_of_code",
  `SELECT device_id FROM pairing_codes
   WHERE code_hash = :code_hash AND expires_at > :now AND expires_at <= :latest_end`,
);
const USE = statement<DeviceRow>(
  "use_code",
  `DELETE FROM pairing_codes WHERE code_hash = :code_hash AND device_id = :device_id
     AND expires_at > :now AND expires_at <= :latest_end
   RETURNING device_id`,
);
const PAIR = statement<Row>(
  "pair",
  `INSERT INTO pairings AS paired (pairing_id, device_id, app_id, app_name, paired_at, last_seen_at)
   VALUES (:pairing_id, :device_id, :app_id, :app_name, :now, :now)
   ON CONFLICT (device_id, app_id) DO UPDATE SET app_name = excluded.app_name,
     paired_at = excluded.paired_at, last_seen_at = excluded.last_seen_at
   RETURNING pairing_id, device_id, app_id, app_name, paired_at, last_seen_at,
     (SELECT device_name FROM devices WHERE devices.device_id = :device_id) AS device_name`,
);
const NOTE_PAIRED = statement(
  "note_first_pairing",
  "UPDATE devices SET has_paired = 1 WHERE device_id = :device_id AND has_paired = 0",
);
const ADD_TOKEN = statement(
  "add_token",
  `INSERT INTO app_tokens (token_hash, pairing_id, made)
   VALUES (:token_hash, :pairing_id,
     (SELECT coalesce(max(made), 0) + 1 FROM app_tokens WHERE pairing_id = :pairing_id))`,
);
const DROP_OLD_TOKENS = statement<TokenRow>(
  "drop_old_tokens",
  `DELETE FROM app_tokens WHERE pairing_id = :pairing_id AND token_hash NOT IN (
     SELECT token_hash FROM app_tokens WHERE pairing_id = :pairing_id
     ORDER BY made DESC LIMIT 0 + :most)
   RETURNING token_hash`,
);
const HAS_TOKEN = statement("has_token", "SELECT 1 FROM app_tokens WHERE token_hash = :token_hash");
const MAKE_REPEATABLE = statement(
  "make_repeatable",
  `INSERT INTO repeatable_claims (repeat_hash, token_hash, arrived_at, ends_at)
   VALUES (:repeat_hash, :token_hash, :arrived_at, :ends_at)
   ON CONFLICT (repeat_hash) DO UPDATE SET token_hash = excluded.token_hash,
     arrived_at = excluded.arrived_at, ends_at = excluded.ends_at`,
);
const DEVICE_OF_CLAIM = statement<DeviceRow>(
  "device_of_claim",
  `SELECT device_id FROM repeatable_claims JOIN app_tokens USING (token_hash)
     JOIN pairings USING (pairing_id)
   WHERE repeat_hash = :repeat_hash`,
);
const OVERTAKE = statement<TokenRow>(
  "overtake_claim",
  `UPDATE repeatable_claims SET arrived_at = :arrived_at
   WHERE repeat_hash = :repeat_hash AND arrived_at <= :arrived_at AND ends_at > :now
     AND ends_at <= :latest_end
   RETURNING token_hash`,
);
const REPLACE_TOKEN = statement(
  "replace_token",
  "UPDATE app_tokens SET token_hash = :next_hash WHERE token_hash = :token_hash",
);
/** Finds the app of a token, with its device. */
export const APP_OF_TOKEN = statement<Row>(
  "find_app",
  `SELECT pairings.*, devices.device_name, import_days, first_import_day, last_import_day
   FROM app_tokens JOIN pairings USING (pairing_id) JOIN devices USING (device_id)
   WHERE app_tokens.token_hash = :token_hash`,
);

export const CODE_CHANGES = {
  putCode: change(putCode, { ifUnknown: "repeat" }),
  removeCode: change(
    function* (deviceId: string): Work<void> {
      const device_id = deviceId;
      yield* tell(LOCK_DEVICE({ device_id }), END_CODE({ device_id }), END_REQUEST({ device_id }));
    },
    { ifUnknown: "repeat" },
  ),
  claimCode: change(claimCode, { ifUnknown: hasToken }),
  repeatClaim: change(repeatClaim, { ifUnknown: hasToken }),
};

function* putCode({ deviceId, codeHash, expiresAt, now }: PairingCode): Work<boolean> {
  const device_id = deviceId;
  const devices = yield* ask(LOCK_DEVICE({ device_id }));
  if (devices.length === 0) throw new Error(`There is no device ${deviceId}.`);
  yield* tell(FREE_HASH({ code_hash: codeHash, now }), END_CODE({ device_id }));
  const put = yield* ask(PUT({ device_id, code_hash: codeHash, expires_at: expiresAt }));
  if (put.length === 0) throw new Undone(false);
  yield* tell(END_REQUEST({ device_id }));
  return true;
}

function* claimCode(claim: CodeClaim): Work<AppTokenRecord | undefined> {
  const code = { code_hash: claim.codeHash, now: claim.now, latest_end: claim.latestEnd };
  const [found] = yield* ask(DEVICE_OF_CODE(code));
  if (found === undefined) return undefined;
  const { device_id } = found;
  yield* tell(LOCK_DEVICE({ device_id }));
  const used = yield* ask(USE({ ...code, device_id }));
  if (used.length === 0) return undefined;
  yield* tell(END_REQUEST({ device_id }));
  const [row] = yield* ask(
    PAIR({
      pairing_id: claim.pairingId,
      device_id,
      app_id: claim.appId,
      app_name: claim.appName,
      now: claim.now,
    }),
  );
  if (row === undefined) throw new Error(`The app ${claim.appId} was not paired.`);
  const pairing = appTokenOf(row);
  const pairing_id = pairing.pairingId;
  yield* tell(NOTE_PAIRED({ device_id }), ADD_TOKEN({ token_hash: claim.tokenHash, pairing_id }));
  yield* keepRepeatable(claim);
  for (const old of yield* ask(DROP_OLD_TOKENS({ pairing_id, most: claim.maxTokens }))) {
    yield* noteRemoval("token", old.token_hash);
  }
  // An earlier pairing may have another name now, and may have lost a token: other processes remember both.
  const isKnown = pairing_id !== claim.pairingId;
  yield* notify(
    ...(isKnown ? [STORE_CHANGED] : []),
    {
      topic: `device:${device_id}`,
      notification: { type: "code.used", app_name: pairing.appName },
    },
    appsChanged(`device:${device_id}`),
  );
  return pairing;
}

function* keepRepeatable({ repeatable, tokenHash }: CodeClaim): Work<void> {
  if (repeatable === undefined) return;
  const { repeatHash, arrivedAt, endsAt } = repeatable;
  yield* tell(
    MAKE_REPEATABLE({
      repeat_hash: repeatHash,
      token_hash: tokenHash,
      arrived_at: arrivedAt,
      ends_at: endsAt,
    }),
  );
}

function* repeatClaim(repeat: ClaimRepeat): Work<AppTokenRecord | undefined> {
  const { repeatHash, arrivedAt, tokenHash, now, latestEnd } = repeat;
  const [found] = yield* ask(DEVICE_OF_CLAIM({ repeat_hash: repeatHash }));
  if (found === undefined) return undefined;
  yield* tell(LOCK_DEVICE({ device_id: found.device_id }));
  const [earlier] = yield* ask(
    OVERTAKE({ repeat_hash: repeatHash, arrived_at: arrivedAt, now, latest_end: latestEnd }),
  );
  if (earlier === undefined) return undefined;
  yield* tell(REPLACE_TOKEN({ token_hash: earlier.token_hash, next_hash: tokenHash }));
  yield* noteRemoval("token", earlier.token_hash);
  const [row] = yield* ask(APP_OF_TOKEN({ token_hash: tokenHash }));
  if (row === undefined) return undefined;
  const pairing = appTokenOf(row);
  yield* notify(STORE_CHANGED, appsChanged(`pairing:${pairing.pairingId}`));
  return pairing;
}

/** Looks whether a claim has its token. */
function* hasToken({ tokenHash }: Pick<CodeClaim, "tokenHash">): Work<boolean> {
  return (yield* ask(HAS_TOKEN({ token_hash: tokenHash }))).length === 1;
}
