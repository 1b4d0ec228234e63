import type {
  AppTokenRecord,
  CodeClaim,
  PairingCode,
  PairingRecord,
  PairingRecords,
} from "../../domain/ports.ts";
import { codeOf } from "../error-codes.ts";
import { appTokenOf, pairingOf, type Row } from "../rows.ts";
import type { Connections, Transaction } from "./connections.ts";
import { dropPackages, DROPPED_COLUMNS, type DroppedRow, readPartials } from "./key-moves.ts";
import { LOCK_DEVICE } from "./lock-order.ts";
import { packageNotices, sendNotices } from "./notices.ts";
import { hasToken, keepRepeatable } from "./repeated-claims.ts";
import { statement } from "./statement.ts";

type CodeWrites = Pick<PairingRecords, "putCode" | "removeCode" | "claimCode">;

const UNIQUE_VIOLATION = "23505";

const FREE_HASH = statement(
  "free_code",
  "DELETE FROM pairing_codes WHERE code_hash = $1 AND expires_at <= $2",
);
// Another device's valid code with this hash violates a constraint.
const PUT = statement(
  "put_code",
  `INSERT INTO pairing_codes (device_id, code_hash, expires_at) VALUES ($1, $2, $3)
   ON CONFLICT (device_id) DO UPDATE SET code_hash = excluded.code_hash, expires_at = excluded.expires_at`,
);
export const END_CODE = statement("end_code", "DELETE FROM pairing_codes WHERE device_id = $1");
const END_REQUEST = statement("end_request", "DELETE FROM pairing_requests WHERE device_id = $1");
/** Finds the device of a code. The caller locks the device and looks again. */
const DEVICE_OF_CODE = statement(
  "device_of_code",
  "SELECT device_id FROM pairing_codes WHERE code_hash = $1 AND expires_at > $2 AND expires_at <= $3",
);
const USE = statement(
  "use_code",
  `DELETE FROM pairing_codes WHERE code_hash = $1 AND device_id = $2 AND expires_at > $3 AND expires_at <= $4
   RETURNING device_id`,
);
const PAIR = statement(
  "pair",
  `INSERT INTO pairings AS paired (pairing_id, device_id, app_id, app_name, paired_at, last_seen_at)
   VALUES ($1, $2, $3, $4, $5, $5)
   ON CONFLICT (device_id, app_id) DO UPDATE SET app_name = excluded.app_name,
     paired_at = excluded.paired_at, last_seen_at = excluded.last_seen_at
   RETURNING paired.*, (SELECT device_name FROM devices WHERE devices.device_id = paired.device_id) AS device_name`,
);
const NOTE_PAIRED = statement(
  "note_first_pairing",
  "UPDATE devices SET has_paired = 1 WHERE device_id = $1 AND has_paired = 0",
);
const ADD_TOKEN = statement(
  "add_token",
  `INSERT INTO app_tokens (token_hash, pairing_id, made)
   VALUES ($1, $2, (SELECT coalesce(max(made), 0) + 1 FROM app_tokens WHERE pairing_id = $2))`,
);
const DROP_OLD_TOKENS = statement(
  "drop_old_tokens",
  `DELETE FROM app_tokens WHERE token_hash IN (
     SELECT token_hash FROM app_tokens WHERE pairing_id = $1 ORDER BY made DESC OFFSET $2)`,
);
export function codeWrites(connections: Connections): CodeWrites {
  return {
    putCode: async (code) => {
      try {
        await connections.transaction((tx) => putCode(tx, code), { ifUnknown: "repeat" });
        return true;
      } catch (error) {
        if (codeOf(error) === UNIQUE_VIOLATION) return false;
        throw error;
      }
    },
    removeCode: (deviceId) =>
      connections.transaction(
        async (tx) => {
          tx.send(LOCK_DEVICE, [deviceId]);
          tx.send(END_CODE, [deviceId]);
          tx.send(END_REQUEST, [deviceId]);
        },
        { ifUnknown: "repeat" },
      ),
    claimCode: (claim) =>
      connections.transaction((tx) => claimCode(tx, claim), hasToken(connections, claim)),
  };
}

async function putCode(
  tx: Transaction,
  { deviceId, codeHash, expiresAt, now }: PairingCode,
): Promise<void> {
  const devices = await tx.query(LOCK_DEVICE, [deviceId]);
  if (devices.length === 0) throw new Error(`There is no device ${deviceId}.`);
  tx.send(FREE_HASH, [codeHash, now]);
  await tx.query(PUT, [deviceId, codeHash, expiresAt]);
  tx.send(END_REQUEST, [deviceId]);
}

async function claimCode(tx: Transaction, claim: CodeClaim): Promise<AppTokenRecord | undefined> {
  const { codeHash, now, latestEnd } = claim;
  const [found] = await tx.query<{ device_id: string }>(DEVICE_OF_CODE, [codeHash, now, latestEnd]);
  if (found === undefined) return undefined;
  const deviceId = found.device_id;
  tx.send(LOCK_DEVICE, [deviceId]);
  const used = await tx.query(USE, [codeHash, deviceId, now, latestEnd]);
  if (used.length === 0) return undefined;
  tx.send(END_REQUEST, [deviceId]);
  const [row] = await tx.query<Row>(PAIR, [
    claim.pairingId,
    deviceId,
    claim.appId,
    claim.appName,
    now,
  ]);
  if (row === undefined) return undefined;
  const pairing = appTokenOf(row);
  tx.send(NOTE_PAIRED, [deviceId]);
  tx.send(ADD_TOKEN, [claim.tokenHash, pairing.pairingId]);
  tx.send(DROP_OLD_TOKENS, [pairing.pairingId, claim.maxTokens]);
  keepRepeatable(tx, claim);
  // An earlier pairing may have another name now, and may have lost a token: other processes remember both.
  const isKnown = pairing.pairingId !== claim.pairingId;
  sendNotices(tx, [
    ...(isKnown ? [{ topic: "store" } as const] : []),
    {
      topic: `device:${deviceId}`,
      notification: { type: "code.used", app_name: pairing.appName },
    },
    { topic: `device:${deviceId}`, notification: { type: "apps.changed" } },
  ]);
  return pairing;
}

const DEVICE_OF_TOKEN = statement(
  "device_of_token",
  "SELECT device_id FROM app_tokens JOIN pairings USING (pairing_id) WHERE token_hash = $1",
);
const REMOVE_TOKEN = statement(
  "remove_token",
  "DELETE FROM app_tokens WHERE token_hash = $1 RETURNING pairing_id",
);
const REMOVE_TOKENLESS = statement(
  "remove_tokenless",
  `DELETE FROM pairings WHERE pairing_id = $1
     AND NOT EXISTS (SELECT 1 FROM app_tokens WHERE pairing_id = $1) RETURNING *`,
);
const REMOVE_PAIRING = statement(
  "remove_pairing",
  "DELETE FROM pairings WHERE device_id = $1 AND pairing_id = $2 RETURNING *",
);
// A package whose files are deleted is expired, whatever the clock says (rule Z5).
const UPLOADING = statement(
  "lock_uploading_of_app",
  `SELECT ${DROPPED_COLUMNS} FROM packages
   WHERE device_id = $1 AND app_id = $2 AND committed_at IS NULL AND files_end_at > $3 AND files_deleted = 0
   ORDER BY package_id FOR UPDATE`,
);

/** The removals of tokens and pairings. */
export function unpairWrites(
  connections: Connections,
): Pick<PairingRecords, "removeAppToken" | "removePairing"> {
  return {
    removeAppToken: (tokenHash, now) =>
      connections.transaction(async (tx) => {
        const none = { wasLast: false, doomed: [] };
        const [found] = await tx.query<{ device_id: string }>(DEVICE_OF_TOKEN, [tokenHash]);
        if (found === undefined) return none;
        tx.send(LOCK_DEVICE, [found.device_id]);
        const [removed] = await tx.query<{ pairing_id: string }>(REMOVE_TOKEN, [tokenHash]);
        if (removed === undefined) return none;
        const [row] = await tx.query<Row>(REMOVE_TOKENLESS, [removed.pairing_id]);
        if (row === undefined) {
          sendNotices(tx, [{ topic: "store" }]);
          return none;
        }
        return { wasLast: true, doomed: await dropUploading(tx, pairingOf(row), now) };
      }),
    removePairing: (deviceId, pairingId, now) =>
      connections.transaction((tx) => removePairing(tx, deviceId, pairingId, now)),
  };
}

/** Removes a pairing as part of a transaction. Resolves with undefined if there is no such pairing. */
export async function removePairing(
  tx: Transaction,
  deviceId: string,
  pairingId: string,
  now: number,
) {
  tx.send(LOCK_DEVICE, [deviceId]);
  const [row] = await tx.query<Row>(REMOVE_PAIRING, [deviceId, pairingId]);
  if (row === undefined) return undefined;
  const pairing = pairingOf(row);
  return { pairing, doomed: await dropUploading(tx, pairing, now) };
}

/** Removes what the app is uploading, and returns the keys that this dooms. */
async function dropUploading(
  tx: Transaction,
  { deviceId, appId, pairingId }: PairingRecord,
  now: number,
): Promise<readonly string[]> {
  const packages = await tx.query<DroppedRow>(UPLOADING, [deviceId, appId, now]);
  const ids = packages.map((row) => row.package_id);
  const doomed = dropPackages(tx, packages, ids.length === 0 ? [] : await readPartials(tx, ids));
  const notification = { type: "apps.changed" } as const;
  sendNotices(tx, [
    { topic: "store" },
    { topic: `pairing:${pairingId}`, notification },
    { topic: `device:${deviceId}`, notification },
    ...ids.flatMap((packageId) => packageNotices({ packageId, deviceId })),
  ]);
  return doomed;
}
