import type { PairingRecord, PairingRecords } from "../../domain/ports.ts";
import { pairingOf, type Row } from "../rows.ts";
import type { Connections, Transaction } from "./connections.ts";
import { DROPPED_COLUMNS, type DroppedRow, dropPackages } from "./drop-packages.ts";
import { readPartials } from "./key-moves.ts";
import { LOCK_DEVICE } from "./lock-order.ts";
import { packageNotices, sendNotices } from "./send-notices.ts";
import { statement } from "./statement.ts";

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

/** Part of a transaction; undefined if there is no such pairing. */
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
