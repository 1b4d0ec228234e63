import type { OperatorRemoval } from "../both-databases.ts";
import type { DoomedKeys } from "../../domain/ports.ts";
import type { Connections, Transaction } from "./connections.ts";
import { PACKAGES_OF_DEVICE, removeDevice } from "./device-writes.ts";
import { dropPackages, DROPPED_COLUMNS, type DroppedRow, readPartials } from "./key-moves.ts";
import { LOCK_DEVICE, LOCK_DEVICE_OF_PACKAGE } from "./lock-order.ts";
import { sendOperation } from "./operator-decisions.ts";
import { END_CODE, removePairing } from "./pairing-writes.ts";
import { packageNotices, sendNotices } from "./notices.ts";
import { statement } from "./statement.ts";

const DEVICE_OF_PAIRING = statement(
  "device_of_pairing",
  "SELECT device_id FROM pairings WHERE pairing_id = $1",
);
const PAIRINGS_OF_DEVICE = statement(
  "pairings_of_device",
  "SELECT pairing_id FROM pairings WHERE device_id = $1 ORDER BY pairing_id",
);
// No token has this hash, and no other device.
const REVOKE = statement(
  "revoke_device",
  "UPDATE devices SET token_hash = 'revoked ' || device_id WHERE device_id = $1",
);
const PACKAGE = statement(
  "lock_purged_package",
  `SELECT ${DROPPED_COLUMNS} FROM packages WHERE package_id = $1 FOR UPDATE`,
);
const UNBLOCK = statement("unblock_erased", "DELETE FROM blocks WHERE subject = $1");

/**
 * The writes by which an operator revokes, purges and erases (rules AD7, AD8). Each logs the operation in the same
 * step, and resolves with undefined if there is nothing to remove.
 */
export function operatorRemovals(connections: Connections) {
  const inTransaction = (
    act: (tx: Transaction, removal: OperatorRemoval) => Promise<DoomedKeys | undefined>,
  ) => {
    return (removal: OperatorRemoval) => connections.transaction((tx) => act(tx, removal));
  };
  return {
    revokePairing: inTransaction(revokePairing),
    revokeDevice: inTransaction(revokeDevice),
    purgePackage: inTransaction(purgePackage),
    purgeDevice: inTransaction(purgeDevice),
    eraseDevice: inTransaction(eraseDevice),
  };
}

async function revokePairing(tx: Transaction, removal: OperatorRemoval) {
  const { id, now } = removal;
  const [found] = await tx.query<{ device_id: string }>(DEVICE_OF_PAIRING, [id]);
  if (found === undefined) return undefined;
  const removed = await removePairing(tx, found.device_id, id, now);
  if (removed === undefined) return undefined;
  sendOperation(tx, removal, { action: "revoke", subject: id });
  return { doomed: removed.doomed };
}

async function revokeDevice(tx: Transaction, removal: OperatorRemoval) {
  const { id, now } = removal;
  if (!(await lockDevice(tx, id))) return undefined;
  tx.send(REVOKE, [id]);
  tx.send(END_CODE, [id]);
  const doomed: string[] = [];
  for (const { pairing_id: pairingId } of await tx.query<{ pairing_id: string }>(
    PAIRINGS_OF_DEVICE,
    [id],
  )) {
    doomed.push(...((await removePairing(tx, id, pairingId, now))?.doomed ?? []));
  }
  sendOperation(tx, removal, { action: "revoke", subject: id });
  sendNotices(tx, [{ topic: `device:${id}`, notification: { type: "apps.changed" } }]);
  return { doomed };
}

async function purgePackage(tx: Transaction, removal: OperatorRemoval) {
  tx.send(LOCK_DEVICE_OF_PACKAGE, [removal.id]);
  const rows = await tx.query<DroppedRow>(PACKAGE, [removal.id]);
  if (rows.length === 0) return undefined;
  return drop(tx, removal, rows);
}

async function purgeDevice(tx: Transaction, removal: OperatorRemoval) {
  if (!(await lockDevice(tx, removal.id))) return undefined;
  const rows = await tx.query<DroppedRow>(PACKAGES_OF_DEVICE, [removal.id]);
  return drop(tx, removal, rows, JSON.stringify(rows.map((row) => row.package_id)));
}

async function drop(
  tx: Transaction,
  removal: OperatorRemoval,
  rows: readonly DroppedRow[],
  detail?: string,
): Promise<DoomedKeys> {
  const ids = rows.map((row) => row.package_id);
  const doomed = dropPackages(tx, rows, await readPartials(tx, ids));
  sendOperation(tx, removal, { action: "purge", subject: removal.id, detail });
  sendNotices(
    tx,
    rows.flatMap((row) => packageNotices({ packageId: row.package_id, deviceId: row.device_id })),
  );
  return { doomed };
}

async function eraseDevice(tx: Transaction, removal: OperatorRemoval) {
  const { id } = removal;
  if (!(await lockDevice(tx, id))) return undefined;
  const doomed = await removeDevice(tx, id);
  tx.send(UNBLOCK, [id]);
  sendOperation(tx, removal, { action: "erase", subject: id });
  return { doomed };
}

/** Locks a device. Returns false if it is gone. */
async function lockDevice(tx: Transaction, id: string): Promise<boolean> {
  return (await tx.query(LOCK_DEVICE, [id])).length > 0;
}
