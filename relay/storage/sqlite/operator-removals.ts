import type { DatabaseSync } from "node:sqlite";
import type { DoomedKeys } from "../../domain/ports.ts";
import type { OperatorRemoval } from "../both-databases.ts";
import { number, type Row, text, uploadedOf } from "../rows.ts";
import { operationLog } from "./operator-decisions.ts";
import { packageWrites } from "./package-writes.ts";
import { pairingWrites } from "./pairing-writes.ts";
import { removalNoter } from "./removals.ts";

/**
 * The writes by which an operator revokes, purges and erases (rules AD7, AD8). Each logs the operation in the same
 * step, returns undefined if there is nothing to remove, and runs inside its caller's transaction.
 */
export function operatorRemovals(database: DatabaseSync) {
  return { ...revocations(database), ...purges(database), ...erasure(database) };
}

function revocations(database: DatabaseSync) {
  const log = operationLog(database);
  const revokeToken = deviceRevoker(database);
  const pairings = pairingWrites(database);
  const deviceOfPairing = database.prepare("SELECT device_id FROM pairings WHERE pairing_id = ?");
  return {
    revokePairing({ id, at, who, now }: OperatorRemoval): DoomedKeys | undefined {
      const row = deviceOfPairing.get(id);
      if (row === undefined) return undefined;
      const removed = pairings.removePairing({
        deviceId: text(row["device_id"]),
        pairingId: id,
        now,
      });
      log({ at, who, action: "revoke", subject: id });
      return removed;
    },
    revokeDevice({ id, at, who, now }: OperatorRemoval): DoomedKeys | undefined {
      const revoked = revokeToken(id, now);
      if (revoked !== undefined) log({ at, who, action: "revoke", subject: id });
      return revoked;
    },
  };
}

/**
 * Returns a function that invalidates a device's token and those of its apps for good, and keeps its packages until
 * they expire. It returns undefined if there is no such device.
 */
export function deviceRevoker(
  database: DatabaseSync,
): (deviceId: string, now: number) => DoomedKeys | undefined {
  const note = removalNoter(database);
  const pairings = pairingWrites(database);
  // No token has this hash, and no other device.
  const revoke = database.prepare(
    "UPDATE devices SET token_hash = 'revoked ' || device_id WHERE device_id = ?",
  );
  const endCode = database.prepare("DELETE FROM pairing_codes WHERE device_id = ?");
  const ofDevice = database.prepare("SELECT pairing_id FROM pairings WHERE device_id = ?");
  return (deviceId, now) => {
    if (revoke.run(deviceId).changes === 0) return undefined;
    endCode.run(deviceId);
    note("revoked", deviceId);
    const doomed = ofDevice.all(deviceId).flatMap((row) => {
      const pairingId = text(row["pairing_id"]);
      return pairings.removePairing({ deviceId, pairingId, now })?.doomed ?? [];
    });
    return { doomed };
  };
}

function purges(database: DatabaseSync) {
  const log = operationLog(database);
  const packages = packageWrites(database);
  const columns = "package_id, version, uploaded, files_deleted";
  const one = database.prepare(`SELECT ${columns} FROM packages WHERE package_id = ?`);
  const ofDevice = database.prepare(`SELECT ${columns} FROM packages WHERE device_id = ?`);
  const device = database.prepare("SELECT 1 FROM devices WHERE device_id = ?");
  const remove = (row: Row): readonly string[] => {
    const [packageId, version] = [text(row["package_id"]), number(row["version"])];
    packages.removePackage({ packageId, version, isWithdrawn: true });
    return row["files_deleted"] === 1 ? [] : [...uploadedOf(row["uploaded"]).values()];
  };
  return {
    purgePackage({ id, at, who }: OperatorRemoval): DoomedKeys | undefined {
      const row = one.get(id);
      if (row === undefined) return undefined;
      log({ at, who, action: "purge", subject: id });
      return { doomed: remove(row) };
    },
    purgeDevice({ id, at, who }: OperatorRemoval): DoomedKeys | undefined {
      if (device.get(id) === undefined) return undefined;
      const rows = ofDevice.all(id);
      const detail = JSON.stringify(rows.map((row) => text(row["package_id"])));
      log({ at, who, action: "purge", subject: id, detail });
      return { doomed: rows.flatMap(remove) };
    },
  };
}

function erasure(database: DatabaseSync) {
  const log = operationLog(database);
  const pairings = pairingWrites(database);
  const device = database.prepare("SELECT 1 FROM devices WHERE device_id = ?");
  const unblock = database.prepare("DELETE FROM blocks WHERE subject = ?");
  return {
    eraseDevice({ id, at, who }: OperatorRemoval): DoomedKeys | undefined {
      if (device.get(id) === undefined) return undefined;
      unblock.run(id);
      log({ at, who, action: "erase", subject: id });
      return pairings.removeDevice(id);
    },
  };
}
