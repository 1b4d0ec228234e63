import type { AppTokenRecord, DoomedKeys, PairingRecord } from "../../domain/ports.ts";
import { change, oneStatement } from "./change.ts";
import { APP_OF_TOKEN } from "./codes.ts";
import { dropPackages, DROPPED_COLUMNS, type DroppedRow } from "./key-moves.ts";
import { LOCK_DEVICE } from "./locks.ts";
import { appsChanged, packageNotices, STORE_CHANGED } from "./notices.ts";
import { appTokenOf, pairingOf, type Row } from "./rows.ts";
import { ask, noteRemoval, notify, statement, tell, type Work } from "./statement.ts";

const DEVICE_OF_TOKEN = statement<{ readonly device_id: string }>(
  "device_of_token",
  `SELECT device_id FROM app_tokens JOIN pairings USING (pairing_id)
   WHERE token_hash = :token_hash`,
);
const REMOVE_TOKEN = statement<{ readonly pairing_id: string }>(
  "remove_token",
  "DELETE FROM app_tokens WHERE token_hash = :token_hash RETURNING pairing_id",
);
const REMOVE_TOKENLESS = statement<Row>(
  "remove_tokenless",
  `DELETE FROM pairings WHERE pairing_id = :pairing_id
     AND NOT EXISTS (SELECT 1 FROM app_tokens WHERE pairing_id = :pairing_id) RETURNING *`,
);
const REMOVE_PAIRING = statement<Row>(
  "remove_pairing",
  "DELETE FROM pairings WHERE device_id = :device_id AND pairing_id = :pairing_id RETURNING *",
);
// A package whose files are deleted is expired, whatever the clock says (rule Z5).
const UPLOADING = statement<DroppedRow>(
  "lock_uploading_of_app",
  (sql) =>
    `SELECT ${DROPPED_COLUMNS} FROM packages
     WHERE device_id = :device_id AND app_id = :app_id AND committed_at IS NULL
       AND files_end_at > :now AND files_deleted = 0
     ORDER BY package_id ${sql.lockToDelete}`,
);
const PAIRINGS = statement<Row>(
  "list_pairings",
  "SELECT * FROM pairings WHERE device_id = :device_id ORDER BY paired_at, pairing_id",
);
const seen = (table: "devices" | "pairings", id: string) =>
  statement(
    `note_seen_${table}`,
    (sql) =>
      `UPDATE ${table} SET last_seen_at = seen.at FROM (
         SELECT ${table}.${id} AS id, ${sql.greater("last_seen_at", "noted.at")} AS at
         FROM ${table} JOIN ${sql.rowsOf(":noted", { id: "text", at: "number" })} AS noted
           ON ${table}.${id} = noted.id
         ORDER BY ${table}.${id} ${sql.lock}) AS seen
       WHERE ${table}.${id} = seen.id`,
  );
const SEE_DEVICES = seen("devices", "device_id");
const SEE_PAIRINGS = seen("pairings", "pairing_id");

/** A token to remove at `now`. */
interface TokenRemoval {
  readonly tokenHash: string;
  readonly now: number;
}

/** A pairing to remove at `now`. */
interface PairingRemoval {
  readonly deviceId: string;
  readonly pairingId: string;
  readonly now: number;
}

/** A time at which a device or a pairing was seen. */
export interface Seen {
  readonly id: string;
  readonly at: number;
}

/** The removals of tokens and pairings, and when they were last seen. */
export const UNPAIR_CHANGES = {
  removeAppToken: change(removeAppToken, { writes: "packages" }),
  removePairing: change(removePairing, { writes: "packages" }),
  seeDevices: oneStatement((noted: readonly Seen[]) =>
    SEE_DEVICES({ noted: JSON.stringify(noted) }),
  ),
  seePairings: oneStatement((noted: readonly Seen[]) =>
    SEE_PAIRINGS({ noted: JSON.stringify(noted) }),
  ),
};

/** Removes a token, and its pairing with the last one. */
export function* removeAppToken({
  tokenHash,
  now,
}: TokenRemoval): Work<DoomedKeys & { readonly wasLast: boolean }> {
  const none = { wasLast: false, doomed: [] };
  const [found] = yield* ask(DEVICE_OF_TOKEN({ token_hash: tokenHash }));
  if (found === undefined) return none;
  yield* tell(LOCK_DEVICE({ device_id: found.device_id }));
  const [removed] = yield* ask(REMOVE_TOKEN({ token_hash: tokenHash }));
  if (removed === undefined) return none;
  yield* noteRemoval("token", tokenHash);
  const [row] = yield* ask(REMOVE_TOKENLESS({ pairing_id: removed.pairing_id }));
  if (row === undefined) {
    yield* notify(STORE_CHANGED);
    return none;
  }
  return { wasLast: true, doomed: yield* dropUploading(pairingOf(row), now) };
}

/** Removes a pairing with all its tokens; undefined if there is no such pairing. */
export function* removePairing({
  deviceId,
  pairingId,
  now,
}: PairingRemoval): Work<(DoomedKeys & { readonly pairing: PairingRecord }) | undefined> {
  const device_id = deviceId;
  yield* tell(LOCK_DEVICE({ device_id }));
  const [row] = yield* ask(REMOVE_PAIRING({ device_id, pairing_id: pairingId }));
  if (row === undefined) return undefined;
  yield* noteRemoval("pairing", pairingId);
  const pairing = pairingOf(row);
  return { pairing, doomed: yield* dropUploading(pairing, now) };
}

/** Removes what the app is uploading, and returns the keys that this dooms. */
function* dropUploading(
  { deviceId, appId, pairingId }: PairingRecord,
  now: number,
): Work<readonly string[]> {
  const packages = yield* ask(UPLOADING({ device_id: deviceId, app_id: appId, now }));
  const doomed = yield* dropPackages(packages);
  yield* notify(
    STORE_CHANGED,
    appsChanged(`pairing:${pairingId}`),
    appsChanged(`device:${deviceId}`),
    ...packages.flatMap((row) => packageNotices({ packageId: row.package_id, deviceId })),
  );
  return doomed;
}

export function* findApp(tokenHash: string): Work<AppTokenRecord | undefined> {
  const [row] = yield* ask(APP_OF_TOKEN({ token_hash: tokenHash }));
  return row && appTokenOf(row);
}

/** Lists the apps of a device. */
export function* listPairings(deviceId: string): Work<readonly PairingRecord[]> {
  return (yield* ask(PAIRINGS({ device_id: deviceId }))).map(pairingOf);
}
