import { judgeAsk } from "../../domain/pairing/pairing-consent.ts";
import type {
  PairingAnswer,
  PairingAsk,
  PairingAsked,
  PairingRequest,
} from "../../domain/ports.ts";
import { change } from "./change.ts";
import { END_CODE, FIND_CODE } from "./codes.ts";
import { LOCK_DEVICE } from "./locks.ts";
import type { MembersOf } from "./rows.ts";
import { ask, askAll, hasRows, notify, statement, tell, type Work } from "./statement.ts";
import { membersOf, putInto } from "./schema.ts";

const REQUEST = statement<MembersOf<"pairing_requests">>(
  "find_request",
  `SELECT ${membersOf("pairing_requests")} FROM pairing_requests WHERE device_id = :deviceId`,
);
const PUT = statement("put_request", putInto("pairing_requests"));
const DISPUTE = statement(
  "dispute_request",
  "UPDATE pairing_requests SET state = 'disputed' WHERE device_id = :deviceId",
);
const ANSWERABLE = `device_id = :deviceId AND request_id = :requestId AND state = 'asked'
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
  answerRequest: change(answerRequest),
};

function* askToPair(asking: PairingAsk): Work<PairingAsked | undefined> {
  const { codeHash, now, latestEnd, ...asked } = asking;
  const code = FIND_CODE({ codeHash, now, latestEnd });
  const [first] = yield* ask(code);
  if (first === undefined) return undefined;
  const deviceId = first.device_id;
  yield* tell(LOCK_DEVICE({ deviceId }));
  const [[found], [row]] = yield* askAll(code, REQUEST({ deviceId }));
  if (found?.device_id !== deviceId) return undefined;
  const outcome = judgeAsk(row && requestOf(row), asking);
  if (outcome === "asked") {
    const request = { ...asked, deviceId, expiresAt: found.expires_at };
    yield* tell(PUT({ ...request, state: "asked", allowedAt: null }));
  } else if (outcome === "disputed") {
    yield* tell(DISPUTE({ deviceId }), END_CODE({ deviceId }));
  }
  if (outcome === "asked" || outcome === "disputed") {
    yield* notify({ topic: `device:${deviceId}`, notification: { type: "pairing.asked" } });
  }
  return { deviceId, outcome };
}

function* answerRequest({ deviceId, requestId, isAllowed, now }: PairingAnswer): Work<boolean> {
  yield* tell(LOCK_DEVICE({ deviceId }));
  const isFound = yield* hasRows((isAllowed ? ALLOW : DENY)({ deviceId, requestId, now }));
  if (isFound && !isAllowed) yield* tell(END_CODE({ deviceId }));
  return isFound;
}

/** Finds the request of a device's code, unless it has expired. */
export function* findRequest(deviceId: string, now: number): Work<PairingRequest | undefined> {
  const [row] = yield* ask(REQUEST({ deviceId }));
  return row !== undefined && row.expiresAt > now ? requestOf(row) : undefined;
}

function requestOf(row: MembersOf<"pairing_requests">): PairingRequest {
  const { state } = row;
  return { ...row, state: state === "allowed" || state === "disputed" ? state : "asked" };
}
