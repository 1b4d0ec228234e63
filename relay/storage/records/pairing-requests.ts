import { judgeAsk } from "../../domain/pairing/pairing-consent.ts";
import type {
  PairingAnswer,
  PairingAsk,
  PairingAsked,
  PairingRequest,
} from "../../domain/ports.ts";
import { change } from "./change.ts";
import { END_CODE } from "./codes.ts";
import { LOCK_DEVICE } from "./locks.ts";
import { pairingRequestOf, type Row } from "./rows.ts";
import { ask, askAll, notify, statement, tell, type Work } from "./statement.ts";

const CODE = statement<{ readonly device_id: string; readonly expires_at: number }>(
  "code_of_ask",
  `SELECT device_id, expires_at FROM pairing_codes
   WHERE code_hash = :code_hash AND expires_at > :now AND expires_at <= :latest_end`,
);
const REQUEST = statement<Row>(
  "find_request",
  "SELECT * FROM pairing_requests WHERE device_id = :device_id",
);
const PUT = statement(
  "put_request",
  `INSERT INTO pairing_requests
     (device_id, request_id, app_id, app_name, address, network, expires_at, state, allowed_at)
   VALUES (:device_id, :request_id, :app_id, :app_name, :address, :network, :expires_at, 'asked', NULL)
   ON CONFLICT (device_id) DO UPDATE SET request_id = excluded.request_id, app_id = excluded.app_id,
     app_name = excluded.app_name, address = excluded.address, network = excluded.network,
     expires_at = excluded.expires_at, state = 'asked', allowed_at = NULL`,
);
const DISPUTE = statement(
  "dispute_request",
  "UPDATE pairing_requests SET state = 'disputed' WHERE device_id = :device_id",
);
const ANSWERABLE = `device_id = :device_id AND request_id = :request_id AND state = 'asked'
  AND expires_at > :now`;
const ALLOW = statement(
  "allow_request",
  `UPDATE pairing_requests SET state = 'allowed', allowed_at = :now WHERE ${ANSWERABLE}
   RETURNING device_id`,
);
const DENY = statement(
  "deny_request",
  `DELETE FROM pairing_requests WHERE ${ANSWERABLE} RETURNING device_id`,
);

/** The changes for claims that wait for consent (rule P12). */
export const REQUEST_CHANGES = {
  askToPair: change(askToPair),
  answerPairing: change(answerPairing),
};

function* askToPair(asking: PairingAsk): Work<PairingAsked | undefined> {
  const code = { code_hash: asking.codeHash, now: asking.now, latest_end: asking.latestEnd };
  const [first] = yield* ask(CODE(code));
  if (first === undefined) return undefined;
  const { device_id } = first;
  yield* tell(LOCK_DEVICE({ device_id }));
  const [[found], [row]] = yield* askAll(CODE(code), REQUEST({ device_id }));
  if (found?.device_id !== device_id) return undefined;
  const outcome = judgeAsk(row && pairingRequestOf(row), asking);
  if (outcome === "asked") {
    yield* tell(
      PUT({
        device_id,
        request_id: asking.requestId,
        app_id: asking.appId,
        app_name: asking.appName,
        address: asking.address,
        network: asking.network,
        expires_at: found.expires_at,
      }),
    );
  } else if (outcome === "disputed") {
    yield* tell(DISPUTE({ device_id }), END_CODE({ device_id }));
  }
  if (outcome === "asked" || outcome === "disputed") {
    yield* notify({ topic: `device:${device_id}`, notification: { type: "pairing.asked" } });
  }
  return { deviceId: device_id, outcome };
}

function* answerPairing({ deviceId, requestId, isAllowed, now }: PairingAnswer): Work<boolean> {
  const device_id = deviceId;
  const answered = { device_id, request_id: requestId, now };
  yield* tell(LOCK_DEVICE({ device_id }));
  const rows = yield* ask(isAllowed ? ALLOW(answered) : DENY(answered));
  if (rows.length > 0 && !isAllowed) yield* tell(END_CODE({ device_id }));
  return rows.length > 0;
}

/** Finds the request of a device's code, unless it has expired. */
export function* findRequest(deviceId: string, now: number): Work<PairingRequest | undefined> {
  const [row] = yield* ask(REQUEST({ device_id: deviceId }));
  const request = row && pairingRequestOf(row);
  return request !== undefined && request.expiresAt > now ? request : undefined;
}
