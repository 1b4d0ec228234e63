import { judgeAsk } from "../../domain/pairing/pairing-consent.ts";
import type {
  PairingAsk,
  PairingAsked,
  PairingRecords,
  PairingRequests,
} from "../../domain/ports.ts";
import {
  appTokenOf,
  deviceOf,
  number,
  pairingOf,
  pairingRequestOf,
  type Row,
  text,
} from "../rows.ts";
import type { Connections, Transaction } from "./connections.ts";
import { deviceWrites } from "./device-writes.ts";
import { LOCK_DEVICE } from "./lock-order.ts";
import { sendNotices } from "./notices.ts";
import { codeWrites, END_CODE, unpairWrites } from "./pairing-writes.ts";
import { APP_OF_TOKEN, claimRepeats } from "./repeated-claims.ts";
import { statement } from "./statement.ts";

const DEVICE = statement("find_device", "SELECT * FROM devices WHERE token_hash = $1");
const UNSEEN = statement("unseen_devices", "SELECT device_id FROM devices WHERE last_seen_at < $1");
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
      const [row] = await connections.read<Row>(APP_OF_TOKEN, [tokenHash]);
      return row && appTokenOf(row);
    },
    listPairings: async (deviceId) =>
      (await connections.read<Row>(PAIRINGS, [deviceId])).map(pairingOf),
    ...deviceWrites(connections),
    ...codeWrites(connections),
    ...claimRepeats(connections),
    ...unpairWrites(connections),
    requests: pairingRequests(connections),
  };
}

const CODE = statement(
  "code_of_ask",
  `SELECT device_id, expires_at FROM pairing_codes
   WHERE code_hash = $1 AND expires_at > $2 AND expires_at <= $3`,
);
const REQUEST = statement("find_request", "SELECT * FROM pairing_requests WHERE device_id = $1");
const FIND = statement(
  "find_valid_request",
  "SELECT * FROM pairing_requests WHERE device_id = $1 AND expires_at > $2",
);
const PUT = statement(
  "put_request",
  `INSERT INTO pairing_requests
     (device_id, request_id, app_id, app_name, address, network, expires_at, state, allowed_at)
   VALUES ($1, $2, $3, $4, $5, $6, $7, 'asked', NULL)
   ON CONFLICT (device_id) DO UPDATE SET request_id = excluded.request_id, app_id = excluded.app_id,
     app_name = excluded.app_name, address = excluded.address, network = excluded.network,
     expires_at = excluded.expires_at, state = 'asked', allowed_at = NULL`,
);
const DISPUTE = statement(
  "dispute_request",
  "UPDATE pairing_requests SET state = 'disputed' WHERE device_id = $1",
);
const ALLOW = statement(
  "allow_request",
  `UPDATE pairing_requests SET state = 'allowed', allowed_at = $3
   WHERE device_id = $1 AND request_id = $2 AND state = 'asked' AND expires_at > $3 RETURNING device_id`,
);
const DENY = statement(
  "deny_request",
  `DELETE FROM pairing_requests
   WHERE device_id = $1 AND request_id = $2 AND state = 'asked' AND expires_at > $3 RETURNING device_id`,
);

/** Claims that wait for consent (rule P12). */
function pairingRequests(connections: Connections): PairingRequests {
  return {
    ask: (ask) => connections.transaction((tx) => askToPair(tx, ask)),
    find: async (deviceId, now) => {
      const [row] = await connections.read<Row>(FIND, [deviceId, now]);
      return row && pairingRequestOf(row);
    },
    answer: ({ deviceId, requestId, isAllowed, now }) =>
      connections.transaction(async (tx) => {
        tx.send(LOCK_DEVICE, [deviceId]);
        const rows = await tx.query(isAllowed ? ALLOW : DENY, [deviceId, requestId, now]);
        if (rows.length > 0 && !isAllowed) tx.send(END_CODE, [deviceId]);
        return rows.length > 0;
      }),
  };
}

async function askToPair(tx: Transaction, ask: PairingAsk): Promise<PairingAsked | undefined> {
  const values = [ask.codeHash, ask.now, ask.latestEnd];
  const [first] = await tx.query<{ device_id: string }>(CODE, values);
  if (first === undefined) return undefined;
  const deviceId = first.device_id;
  tx.send(LOCK_DEVICE, [deviceId]);
  const [[found], [row]] = await Promise.all([
    tx.query<Row>(CODE, values),
    tx.query<Row>(REQUEST, [deviceId]),
  ]);
  if (found?.["device_id"] !== deviceId) return undefined;
  const outcome = judgeAsk(row && pairingRequestOf(row), ask);
  if (outcome === "asked") {
    const { requestId, appId, appName, address, network } = ask;
    const expiresAt = number(found["expires_at"]);
    tx.send(PUT, [deviceId, requestId, appId, appName, address, network, expiresAt]);
  } else if (outcome === "disputed") {
    tx.send(DISPUTE, [deviceId]);
    tx.send(END_CODE, [deviceId]);
  }
  if (outcome === "asked" || outcome === "disputed") {
    sendNotices(tx, [{ topic: `device:${deviceId}`, notification: { type: "pairing.asked" } }]);
  }
  return { deviceId, outcome };
}
