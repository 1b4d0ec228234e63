import type { DoomedKeys } from "../../domain/ports.ts";
import { change } from "./change.ts";
import { END_CODE } from "./codes.ts";
import { UNBLOCK } from "./decisions.ts";
import { PACKAGES_OF_DEVICE, removeDevice } from "./devices.ts";
import { LOCK_DEVICE_OF_PACKAGE, lockDevice } from "./locks.ts";
import { appsChanged } from "./notices.ts";
import { type ByWhom, logOperation } from "./operator-log.ts";
import { REMOVABLE, removePackages } from "./package-changes.ts";
import type { RowOf } from "./rows.ts";
import { ask, noteRemoval, notify, statement, tell, type Work } from "./statement.ts";
import { listPairings, removePairing } from "./unpair.ts";

const DEVICE_OF_PAIRING = statement<RowOf<"pairings", "device_id">>(
  "device_of_pairing",
  "SELECT device_id FROM pairings WHERE pairing_id = :pairingId",
);
const REVOKE = statement(
  "revoke_device",
  "UPDATE devices SET token_hash = :tokenHash WHERE device_id = :deviceId",
);

/** A device, pairing or package that an operator revokes, purges or erases. */
export interface Removing {
  readonly id: string;
  /** Proven relay time: what has expired by it stays as it is. */
  readonly now: number;
}

/** The outcome of a removal: the keys that it doomed, and the detail for the log. */
interface Removed extends DoomedKeys {
  readonly detail?: string;
}

/** Makes a change that logs a removal. It returns undefined if there is nothing to remove. */
function removal(action: string, remove: (removing: Removing) => Work<Removed | undefined>) {
  return change(
    function* (removing: Removing & ByWhom): Work<DoomedKeys | undefined> {
      const removed = yield* remove(removing);
      if (removed === undefined) return undefined;
      yield* logOperation(removing, { action, subject: removing.id, detail: removed.detail });
      return { doomed: removed.doomed };
    },
    { writes: "packages" },
  );
}

/** The changes by which an operator revokes, purges and erases (rules AD7, AD8). */
export const REMOVAL_CHANGES = {
  revoke: removal("revoke", revoke),
  purge: removal("purge", purge),
  erase: removal("erase", erase),
};

/** Revokes a pairing, or the tokens of a device and its apps. Returns undefined if there is no such thing. */
export function* revoke({ id, now }: Removing): Work<Removed | undefined> {
  if (isDevice(id)) return yield* revokeDevice(id, now);
  const [found] = yield* ask(DEVICE_OF_PAIRING({ pairingId: id }));
  return (
    found &&
    (yield* removePairing({ deviceId: found.device_id, pairingId: id, keepsWaiting: true }, now))
  );
}

/** Makes the tokens of a device and its apps invalid for good. Its packages stay until they expire. */
function* revokeDevice(deviceId: string, now: number): Work<Removed | undefined> {
  if (!(yield* lockDevice(deviceId))) return undefined;
  yield* tell(REVOKE({ deviceId, tokenHash: revokedHash(deviceId) }), END_CODE({ deviceId }));
  yield* noteRemoval("revoked", deviceId);
  const doomed: string[] = [];
  for (const { pairingId } of yield* listPairings(deviceId)) {
    const unpaired = yield* removePairing({ deviceId, pairingId, keepsWaiting: true }, now);
    doomed.push(...(unpaired?.doomed ?? []));
  }
  yield* notify(appsChanged(`device:${deviceId}`));
  return { doomed };
}

/** The hash of a revoked device. No token has it, and no other device. */
export function revokedHash(deviceId: string): string {
  return `revoked ${deviceId}`;
}

/** Removes a package, or all of a device. Returns undefined if there is no such thing. */
export function* purge({ id }: Pick<Removing, "id">): Work<Removed | undefined> {
  if (isDevice(id)) {
    if (!(yield* lockDevice(id))) return undefined;
    const packages = yield* ask(PACKAGES_OF_DEVICE({ deviceId: id }));
    const detail = JSON.stringify(packages.map((row) => row.package_id));
    return { doomed: yield* removePackages(packages, true), detail };
  }
  yield* tell(LOCK_DEVICE_OF_PACKAGE({ packageId: id }));
  const packages = yield* ask(REMOVABLE({ packageId: id }));
  return packages.length === 0 ? undefined : { doomed: yield* removePackages(packages, true) };
}

/** Removes a device with everything that belongs to it. Returns undefined if there is no such device. */
export function* erase({ id }: Pick<Removing, "id">): Work<Removed | undefined> {
  if (!(yield* lockDevice(id))) return undefined;
  const removed = yield* removeDevice(id);
  yield* tell(UNBLOCK({ subject: id }));
  return removed;
}

function isDevice(id: string): boolean {
  return id.startsWith("dev_");
}
