import type {
  ListedPairing,
  PairingRecord,
  PairingToEnd,
  Unpaired,
  Unpairing,
} from "../../domain/ports.ts";
import { change } from "./change.ts";
import { findApp } from "./codes.ts";
import { dropPackages, lockPackages } from "./key-moves.ts";
import { LOCK_DEVICE, LOCK_SEEN } from "./locks.ts";
import { appsChanged, packageNotices, STORE_CHANGED } from "./notices.ts";
import type { MembersOf } from "./rows.ts";
import { membersOf } from "./schema.ts";
import {
  ask,
  askRecords,
  hasRows,
  noteRemoval,
  notify,
  statement,
  tell,
  type Work,
} from "./statement.ts";

const REMOVE_TOKEN = statement(
  "remove_token",
  "DELETE FROM app_tokens WHERE token_hash = :tokenHash RETURNING pairing_id",
);
const REMOVE_TOKENLESS = statement<MembersOf<"pairings">>(
  "remove_tokenless",
  `DELETE FROM pairings WHERE pairing_id = :pairingId
     AND NOT EXISTS (SELECT 1 FROM app_tokens WHERE pairing_id = :pairingId)
   RETURNING ${membersOf("pairings")}`,
);
const REMOVE_PAIRING = statement<MembersOf<"pairings">>(
  "remove_pairing",
  `DELETE FROM pairings WHERE device_id = :deviceId AND pairing_id = :pairingId AND last_seen_at < :unseenSince
   RETURNING ${membersOf("pairings")}`,
);
// A package whose files are deleted is expired, whatever the clock says (rule Z5).
const unfinished = (name: string, which: string) =>
  lockPackages(
    name,
    `device_id = :deviceId AND app_id = :appId AND ${which}
     AND files_end_at > :now AND files_deleted = 0
   ORDER BY package_id FOR UPDATE`,
  );
const UPLOADING = unfinished("lock_uploading_of_app", "committed_at IS NULL");
const UNTAKEN = unfinished(
  "lock_untaken_of_app",
  "outcome IS NULL AND coalesce(lease_ends_at, 0) <= :now",
);
const PAIRINGS = statement<ListedPairing>(
  "list_pairings",
  `SELECT ${membersOf("pairings")}, coalesce(
     (SELECT waiting_packages FROM app_counts
      WHERE app_counts.device_id = :deviceId AND app_counts.app_id = pairings.app_id), 0) AS "waitingPackages"
   FROM pairings WHERE device_id = :deviceId ORDER BY paired_at, pairing_id`,
);
const UNSEEN = statement<MembersOf<"pairings", "device_id" | "pairing_id">>(
  "unseen_pairings",
  `SELECT ${membersOf("pairings", ["device_id", "pairing_id"])} FROM pairings
   WHERE last_seen_at < :unseenSince LIMIT 0 + :limit`,
);
const seen = (table: "devices" | "pairings", id: string) =>
  statement(
    `note_seen_${table}`,
    (sql) =>
      `UPDATE ${table} SET last_seen_at = ${sql.greater("last_seen_at", "noted.at")}
       FROM ${sql.rowsOf(":noted", { id: "text", at: "number" })} AS noted WHERE ${table}.${id} = noted.id`,
  );
const SEE_DEVICES = seen("devices", "device_id");
const SEE_PAIRINGS = seen("pairings", "pairing_id");

/** A time at which a device or a pairing was seen. */
export interface Seen {
  readonly of: "devices" | "pairings";
  readonly id: string;
  readonly at: number;
}

/** The removals of tokens and pairings, and when they were last seen. */
export const UNPAIR_CHANGES = {
  unpair: change(
    ({ what, now }: { readonly what: Unpairing; readonly now: number }) =>
      "tokenHash" in what ? removeToken(what.tokenHash, now) : removePairing(what, now),
    { writes: "packages" },
  ),
  noteSeen: change(noteSeen, { ifUnknown: "repeat" }),
};

/** Removes a token, and its pairing with the last one; undefined if there is no such token. */
export function* removeToken(tokenHash: string, now: number): Work<Unpaired | undefined> {
  const app = yield* findApp(tokenHash);
  if (app === undefined) return undefined;
  const { deviceId, pairingId } = app;
  yield* tell(LOCK_DEVICE({ deviceId }));
  if (!(yield* hasRows(REMOVE_TOKEN({ tokenHash })))) return undefined;
  yield* noteRemoval("token", tokenHash);
  const [ended] = yield* askRecords(REMOVE_TOKENLESS({ pairingId }));
  if (ended !== undefined) return yield* endPairing(ended, { now, keepsWaiting: true });
  yield* notify(STORE_CHANGED);
  return { ended: undefined, doomed: [] };
}

/**
 * Removes a pairing with all its tokens; undefined if there is no such pairing, or if it was seen since.
 * @param now proven time: what has expired by it stays as it is, and a lease that ends later is live
 */
export function* removePairing(
  {
    deviceId,
    pairingId,
    keepsWaiting = false,
    unseenSince = Number.MAX_SAFE_INTEGER,
  }: PairingToEnd,
  now: number,
): Work<Unpaired | undefined> {
  yield* tell(LOCK_DEVICE({ deviceId }));
  const [ended] = yield* askRecords(REMOVE_PAIRING({ deviceId, pairingId, unseenSince }));
  if (ended === undefined) return undefined;
  yield* noteRemoval("pairing", pairingId);
  return yield* endPairing(ended, { now, keepsWaiting });
}

/**
 * Removes what the app of a removed pairing is uploading, and what waits without a lease (rule A3). A backup brings neither
 * back: an upload in it ends with the pairing, and what waits is noted like a withdrawal.
 */
function* endPairing(
  ended: PairingRecord,
  { now, keepsWaiting }: { readonly now: number; readonly keepsWaiting: boolean },
): Work<Unpaired> {
  const { deviceId, appId, pairingId } = ended;
  const which = keepsWaiting ? UPLOADING : UNTAKEN;
  const packages = yield* ask(which({ deviceId, appId, now }));
  const doomed = yield* dropPackages(packages);
  for (const row of packages) {
    if (row.committed_at !== null) yield* noteRemoval("package", row.package_id);
  }
  yield* notify(
    STORE_CHANGED,
    appsChanged(`pairing:${pairingId}`),
    appsChanged(`device:${deviceId}`),
    ...packages.flatMap(packageNotices),
  );
  return { ended, doomed };
}

/** Waits for the changes of these devices first, so that none of them waits for a row that this has. */
function* noteSeen(seen: readonly Seen[]): Work<void> {
  const of = (table: Seen["of"]) => seen.filter((each) => each.of === table);
  const [devices, pairings] = [of("devices"), of("pairings")];
  yield* tell(
    LOCK_SEEN({ deviceIds: devices.map(({ id }) => id), pairingIds: pairings.map(({ id }) => id) }),
    SEE_DEVICES({ noted: JSON.stringify(devices) }),
    SEE_PAIRINGS({ noted: JSON.stringify(pairings) }),
  );
}

/** Lists pairings that were last seen before a time. */
export function listUnseen(
  unseenSince: number,
  limit: number,
): Work<readonly Pick<PairingRecord, "deviceId" | "pairingId">[]> {
  return askRecords(UNSEEN({ unseenSince, limit }));
}

/** Lists the apps of a device. */
export function listPairings(deviceId: string): Work<readonly ListedPairing[]> {
  return askRecords(PAIRINGS({ deviceId }));
}
