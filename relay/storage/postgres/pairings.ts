import type { PairingRecords } from "../../domain/ports.ts";
import { appTokenOf, deviceOf, pairingOf, type Row, text } from "../rows.ts";
import { codeWrites } from "./code-writes.ts";
import type { Connections } from "./connections.ts";
import { deviceWrites } from "./device-writes.ts";
import { pairingRequests } from "./pairing-requests.ts";
import { statement } from "./statement.ts";
import { unpairWrites } from "./unpair-writes.ts";

const DEVICE = statement("find_device", "SELECT * FROM devices WHERE token_hash = $1");
const UNSEEN = statement("unseen_devices", "SELECT device_id FROM devices WHERE last_seen_at < $1");
const APP = statement(
  "find_app",
  `SELECT pairings.*, devices.device_name, import_days, first_import_day, last_import_day FROM app_tokens
   JOIN pairings USING (pairing_id) JOIN devices USING (device_id) WHERE app_tokens.token_hash = $1`,
);
const PAIRINGS = statement(
  "list_pairings",
  "SELECT * FROM pairings WHERE device_id = $1 ORDER BY paired_at, pairing_id",
);

/** Devices, codes, pairings and tokens. */
export function pairingRecords(connections: Connections): PairingRecords {
  return {
    findDeviceByToken: async (tokenHash) => {
      const [row] = await connections.read<Row>(DEVICE, [tokenHash]);
      return row && deviceOf(row);
    },
    listDevicesUnseenSince: async (time) =>
      (await connections.readSlowly<Row>(UNSEEN, [time])).map((row) => text(row["device_id"])),
    findAppByToken: async (tokenHash) => {
      const [row] = await connections.read<Row>(APP, [tokenHash]);
      return row && appTokenOf(row);
    },
    listPairings: async (deviceId) =>
      (await connections.read<Row>(PAIRINGS, [deviceId])).map(pairingOf),
    ...deviceWrites(connections),
    ...codeWrites(connections),
    ...unpairWrites(connections),
    requests: pairingRequests(connections),
  };
}
