import type { DoomedKeys } from "../../domain/ports.ts";
import { change } from "./change.ts";
import { END_CODE } from "./codes.ts";
import { UNBLOCK } from "./decisions.ts";
import { PACKAGES_OF_DEVICE, removeDevice } from "./devices.ts";
import { dropPackages } from "./key-moves.ts";
import { LOCK_DEVICE, LOCK_DEVICE_OF_PACKAGE } from "./locks.ts";
import { appsChanged, packageNotices } from "./notices.ts";
import { type ByWhom, logOperation } from "./operator-log.ts";
import { REMOVABLE } from "./package-changes.ts";
import { ask, askAll, noteRemoval, notify, statement, tell, type Work } from "./statement.ts";
import { removePairing } from "./unpair.ts";

interface PairingRow {
  readonly pairing_id: string;
}

const DEVICE_OF_PAIRING = statement<{ readonly device_id: string }>(
  "device_of_pairing",
  "SELECT device_id FROM pairings WHERE pairing_id = :pairing_id",
);
const PAIRINGS_OF_DEVICE = statement<PairingRow>(
  "pairings_of_device",
  "SELECT pairing_id FROM pairings WHERE device_id = :device_id ORDER BY pairing_id",
);
const REVOKE = statement(
  "revoke_device",
  "UPDATE devices SET token_hash = :token_hash WHERE device_id = :device_id",
);

/** A device, pairing or package that an operator revokes, purges or erases. */
interface Removing {
  readonly id: string;
  /** Proven relay time: what has expired by it stays as it is. */
  readonly now: number;
}

/** What a removal removed: keys that it doomed, and what the log says. */
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
  const [found] = yield* ask(DEVICE_OF_PAIRING({ pairing_id: id }));
  return found && (yield* removePairing({ deviceId: found.device_id, pairingId: id, now }));
}

/** Makes the tokens of a device and its apps invalid for good. Its packages stay until they expire. */
function* revokeDevice(deviceId: string, now: number): Work<Removed | undefined> {
  const device_id = deviceId;
  if ((yield* ask(LOCK_DEVICE({ device_id }))).length === 0) return undefined;
  yield* tell(REVOKE({ device_id, token_hash: revokedHash(deviceId) }), END_CODE({ device_id }));
  yield* noteRemoval("revoked", deviceId);
  const doomed: string[] = [];
  for (const { pairing_id: pairingId } of yield* ask(PAIRINGS_OF_DEVICE({ device_id }))) {
    doomed.push(...((yield* removePairing({ deviceId, pairingId, now }))?.doomed ?? []));
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
  const [devices, packages] = yield* isDevice(id)
    ? askAll(LOCK_DEVICE({ device_id: id }), PACKAGES_OF_DEVICE({ device_id: id }))
    : askAll(LOCK_DEVICE_OF_PACKAGE({ package_id: id }), REMOVABLE({ package_id: id }));
  if ((isDevice(id) ? devices : packages).length === 0) return undefined;
  const doomed = yield* dropPackages(packages);
  const ids = packages.map((row) => row.package_id);
  for (const packageId of ids) yield* noteRemoval("package", packageId);
  yield* notify(
    ...packages.flatMap((row) =>
      packageNotices({ packageId: row.package_id, deviceId: row.device_id }),
    ),
  );
  return { doomed, ...(isDevice(id) && { detail: JSON.stringify(ids) }) };
}

/** Removes a device with everything that belongs to it. Returns undefined if there is no such device. */
export function* erase({ id }: Pick<Removing, "id">): Work<Removed | undefined> {
  if ((yield* ask(LOCK_DEVICE({ device_id: id }))).length === 0) return undefined;
  const removed = yield* removeDevice(id);
  yield* tell(UNBLOCK({ subject: id }));
  return removed;
}

function isDevice(id: string): boolean {
  return id.startsWith("dev_");
}
