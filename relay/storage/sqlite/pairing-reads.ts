import type { DatabaseSync } from "node:sqlite";
import type { PairingRecords, PairingRequests } from "../../domain/ports.ts";
import { appTokenOf, deviceOf, pairingOf, pairingRequestOf, text } from "../rows.ts";

type Reads = Pick<
  PairingRecords,
  "findDeviceByToken" | "listDevicesUnseenSince" | "findAppByToken" | "listPairings"
>;

/** The queries for devices, pairings and tokens, over a read-only connection. */
export function pairingReads(database: DatabaseSync): Reads {
  const device = database.prepare("SELECT * FROM devices WHERE token_hash = ?");
  const unseen = database.prepare("SELECT device_id FROM devices WHERE last_seen_at < ?");
  const app = database.prepare(
    `SELECT pairings.*, devices.device_name, import_days, first_import_day, last_import_day FROM app_tokens
     JOIN pairings USING (pairing_id) JOIN devices USING (device_id) WHERE app_tokens.token_hash = ?`,
  );
  const pairings = database.prepare(
    "SELECT * FROM pairings WHERE device_id = ? ORDER BY paired_at, pairing_id",
  );
  return {
    findDeviceByToken: async (tokenHash) => {
      const row = device.get(tokenHash);
      return row === undefined ? undefined : deviceOf(row);
    },
    listDevicesUnseenSince: async (time) => unseen.all(time).map((row) => text(row["device_id"])),
    findAppByToken: async (tokenHash) => {
      const row = app.get(tokenHash);
      return row === undefined ? undefined : appTokenOf(row);
    },
    listPairings: async (deviceId) => pairings.all(deviceId).map(pairingOf),
  };
}

/** The query for claims that wait for a yes, over a read-only connection. */
export function pairingRequestReads(database: DatabaseSync): Pick<PairingRequests, "find"> {
  const find = database.prepare(
    "SELECT * FROM pairing_requests WHERE device_id = ? AND expires_at > ?",
  );
  return {
    find: async (deviceId, now) => {
      const row = find.get(deviceId, now);
      return row === undefined ? undefined : pairingRequestOf(row);
    },
  };
}
