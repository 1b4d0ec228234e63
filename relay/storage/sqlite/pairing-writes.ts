import type { DatabaseSync } from "node:sqlite";
import type {
  AppTokenRecord,
  CodeClaim,
  DeviceRecord,
  DoomedKeys,
  Owner,
  PairingCode,
  PairingRecord,
  PairingRecords,
} from "../../domain/ports.ts";
import { appTokenOf, pairingOf, text } from "../rows.ts";
import { removalNoter } from "./removals.ts";
import { claimKeeper } from "./repeated-claims.ts";

/** The writes for devices, codes, pairings and tokens. Each runs inside its caller's transaction. */
export function pairingWrites(database: DatabaseSync) {
  return { ...deviceWrites(database), ...codeWrites(database), ...unpairWrites(database) };
}

function deviceWrites(database: DatabaseSync) {
  const note = removalNoter(database);
  const insert = database.prepare(
    `INSERT INTO devices (device_id, device_name, token_hash, registered_at, last_seen_at)
     VALUES (?, ?, ?, ?, ?)`,
  );
  const rename = database.prepare("UPDATE devices SET device_name = ? WHERE device_id = ?");
  const soundKeys = database.prepare(
    `SELECT value ->> 1 AS key FROM packages, json_each(uploaded)
     WHERE device_id = ?1 AND files_deleted = 0
     UNION ALL SELECT key FROM partials JOIN packages USING (package_id) WHERE device_id = ?1`,
  );
  const remove = database.prepare("DELETE FROM devices WHERE device_id = ?");
  const forgetAnnouncements = database.prepare("DELETE FROM announcements WHERE device_id = ?");
  const countImport = database.prepare(
    `UPDATE devices SET import_days = import_days + 1, last_import_day = ?1,
       first_import_day = coalesce(first_import_day, ?1)
     WHERE device_id = ?2 AND coalesce(last_import_day < ?1, true)`,
  );
  const seeDevice = database.prepare(
    "UPDATE devices SET last_seen_at = max(last_seen_at, ?) WHERE device_id = ?",
  );
  const seePairing = database.prepare(
    "UPDATE pairings SET last_seen_at = max(last_seen_at, ?) WHERE pairing_id = ?",
  );
  return {
    insertDevice({ device, tokenHash }: { device: DeviceRecord; tokenHash: string }): void {
      const { deviceId, deviceName, registeredAt, lastSeenAt } = device;
      insert.run(deviceId, deviceName, tokenHash, registeredAt, lastSeenAt);
    },
    renameDevice({ deviceId, deviceName }: { deviceId: string; deviceName: string }): void {
      rename.run(deviceName, deviceId);
    },
    noteImport({ deviceId, day }: { deviceId: string; day: number }): void {
      countImport.run(day, deviceId);
    },
    removeDevice(deviceId: string): DoomedKeys {
      const doomed = soundKeys.all(deviceId).map((row) => text(row["key"]));
      forgetAnnouncements.run(deviceId);
      if (remove.run(deviceId).changes > 0) note("device", deviceId);
      return { doomed };
    },
    noteSeen({ devices, pairings }: Parameters<PairingRecords["noteSeen"]>[0]): void {
      for (const [deviceId, time] of devices) seeDevice.run(time, deviceId);
      for (const [pairingId, time] of pairings) seePairing.run(time, pairingId);
    },
  };
}

function codeWrites(database: DatabaseSync) {
  const note = removalNoter(database);
  const freeHash = database.prepare(
    "DELETE FROM pairing_codes WHERE code_hash = ? AND expires_at <= ?",
  );
  const put = database.prepare(
    `INSERT INTO pairing_codes (device_id, code_hash, expires_at) SELECT ?1, ?2, ?3
     WHERE NOT EXISTS (SELECT 1 FROM pairing_codes WHERE code_hash = ?2 AND device_id <> ?1)
     ON CONFLICT (device_id) DO UPDATE SET code_hash = excluded.code_hash, expires_at = excluded.expires_at`,
  );
  const remove = database.prepare("DELETE FROM pairing_codes WHERE device_id = ?");
  const endRequest = database.prepare("DELETE FROM pairing_requests WHERE device_id = ?");
  const use = database.prepare(
    `DELETE FROM pairing_codes WHERE code_hash = ? AND expires_at > ? AND expires_at <= ?
     RETURNING device_id`,
  );
  const pair = database.prepare(
    `INSERT INTO pairings (pairing_id, device_id, app_id, app_name, paired_at, last_seen_at)
     VALUES (?, ?, ?, ?, ?5, ?5)
     ON CONFLICT (device_id, app_id) DO UPDATE SET app_name = excluded.app_name,
       paired_at = excluded.paired_at, last_seen_at = excluded.last_seen_at
     RETURNING *, (SELECT device_name FROM devices WHERE devices.device_id = pairings.device_id) AS device_name`,
  );
  const addToken = database.prepare(
    `INSERT INTO app_tokens (token_hash, pairing_id, made)
     VALUES (?1, ?2, (SELECT coalesce(max(made), 0) + 1 FROM app_tokens WHERE pairing_id = ?2))`,
  );
  const dropOldTokens = database.prepare(
    `DELETE FROM app_tokens WHERE token_hash IN (
       SELECT token_hash FROM app_tokens WHERE pairing_id = ? ORDER BY made DESC LIMIT -1 OFFSET ?)
     RETURNING token_hash`,
  );
  const keepRepeatable = claimKeeper(database);
  return {
    putCode({ deviceId, codeHash, expiresAt, now }: PairingCode): boolean {
      freeHash.run(codeHash, now);
      if (put.run(deviceId, codeHash, expiresAt).changes === 0) return false;
      endRequest.run(deviceId);
      return true;
    },
    removeCode(deviceId: string): void {
      remove.run(deviceId);
      endRequest.run(deviceId);
    },
    claimCode(claim: CodeClaim): AppTokenRecord | undefined {
      const used = use.get(claim.codeHash, claim.now, claim.latestEnd);
      if (used === undefined) return undefined;
      const deviceId = text(used["device_id"]);
      endRequest.run(deviceId);
      const row = pair.get(claim.pairingId, deviceId, claim.appId, claim.appName, claim.now);
      if (row === undefined) return undefined;
      const pairing = appTokenOf(row);
      addToken.run(claim.tokenHash, pairing.pairingId);
      const dropped = dropOldTokens.all(pairing.pairingId, claim.maxTokens);
      for (const row of dropped) note("token", text(row["token_hash"]));
      keepRepeatable(claim);
      return pairing;
    },
  };
}

/** A token to remove at `now`. */
export interface TokenRemoval {
  readonly tokenHash: string;
  readonly now: number;
}

/** A pairing to remove at `now`. */
export interface PairingRemoval {
  readonly deviceId: string;
  readonly pairingId: string;
  readonly now: number;
}

/** The removals of tokens and pairings. Each runs inside its caller's transaction. */
function unpairWrites(database: DatabaseSync) {
  const note = removalNoter(database);
  const removeToken = database.prepare(
    "DELETE FROM app_tokens WHERE token_hash = ? RETURNING pairing_id",
  );
  const removeIfTokenless = database.prepare(
    `DELETE FROM pairings WHERE pairing_id = ?1
     AND NOT EXISTS (SELECT 1 FROM app_tokens WHERE pairing_id = ?1) RETURNING *`,
  );
  const removePairing = database.prepare(
    "DELETE FROM pairings WHERE device_id = ? AND pairing_id = ? RETURNING *",
  );
  // A package whose files are deleted is expired, whatever the clock says (rule Z5).
  const uploading = `device_id = ?1 AND app_id = ?2 AND committed_at IS NULL AND files_end_at > ?3
    AND files_deleted = 0`;
  const keys = database.prepare(
    `SELECT value ->> 1 AS key FROM packages, json_each(uploaded)
     WHERE ${uploading}
     UNION ALL SELECT key FROM partials JOIN packages USING (package_id) WHERE ${uploading}`,
  );
  const removePackages = database.prepare(`DELETE FROM packages WHERE ${uploading}`);

  /** Removes what the app is uploading, and returns the keys that this dooms. */
  const dropUploading = ({ deviceId, appId }: Owner, now: number): readonly string[] => {
    const doomed = keys.all(deviceId, appId, now).map((row) => text(row["key"]));
    removePackages.run(deviceId, appId, now);
    return doomed;
  };

  return {
    removeAppToken({ tokenHash, now }: TokenRemoval): DoomedKeys & { readonly wasLast: boolean } {
      const removed = removeToken.get(tokenHash);
      if (removed !== undefined) note("token", tokenHash);
      const row = removed && removeIfTokenless.get(text(removed["pairing_id"]));
      if (row === undefined) return { wasLast: false, doomed: [] };
      return { wasLast: true, doomed: dropUploading(pairingOf(row), now) };
    },
    removePairing({
      deviceId,
      pairingId,
      now,
    }: PairingRemoval): (DoomedKeys & { readonly pairing: PairingRecord }) | undefined {
      const row = removePairing.get(deviceId, pairingId);
      if (row === undefined) return undefined;
      note("pairing", pairingId);
      const pairing = pairingOf(row);
      return { pairing, doomed: dropUploading(pairing, now) };
    },
  };
}
