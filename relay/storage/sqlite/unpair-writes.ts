import type { DatabaseSync } from "node:sqlite";
import type { DoomedKeys, Owner, PairingRecord } from "../../domain/ports.ts";
import { removalNoter } from "./removals.ts";
import { pairingOf, text } from "../rows.ts";

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
export function unpairWrites(database: DatabaseSync) {
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
