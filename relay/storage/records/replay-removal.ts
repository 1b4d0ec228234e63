import { parseAddressRange } from "../../../core/quotas/address-tiers.ts";
import type { Removal } from "../removals-log.ts";
import { APP_OF_TOKEN } from "./codes.ts";
import { block, unblock } from "./decisions.ts";
import { allow, deny, listCandidates, takeOut } from "./denials.ts";
import { findDevice } from "./devices.ts";
import { LOCK_DEVICE } from "./locks.ts";
import { erase, purge, revoke, revokedHash } from "./operator-removals.ts";
import { ask, type Work } from "./statement.ts";
import { removeAppToken } from "./unpair.ts";

/**
 * Repeats a removal or a decision (rules Z11, AD8). Returns true if that changed anything. Ids are never used twice, so
 * this can be done at any time.
 */
export function* replayRemoval({ kind, id, at }: Removal): Work<boolean> {
  switch (kind) {
    case "device":
      return (yield* erase({ id })) !== undefined;
    case "pairing":
      return (yield* revoke({ id, now: at })) !== undefined;
    case "token":
      if ((yield* ask(APP_OF_TOKEN({ token_hash: id }))).length === 0) return false;
      yield* removeAppToken({ tokenHash: id, now: at });
      return true;
    case "package":
      return (yield* purge({ id })) !== undefined;
    case "revoked":
      if ((yield* findDevice(revokedHash(id))) !== undefined) return false;
      return (yield* revoke({ id, now: at })) !== undefined;
    case "denied": {
      const isNew = yield* deny({ sha256: id, at });
      for (const packageId of yield* listCandidates(id)) yield* takeOut({ packageId, sha256: id });
      return isNew;
    }
    case "allowed":
      return yield* allow({ sha256: id });
    case "blocked":
      return yield* replayBlock(id, at);
    case "unblocked":
      return yield* unblock({ subject: id });
    default:
      return false;
  }
}

function* replayBlock(subject: string, at: number): Work<boolean> {
  if (parseAddressRange(subject) !== undefined)
    return yield* block({ subject, kind: "address", at });
  const devices = yield* ask(LOCK_DEVICE({ device_id: subject }));
  return devices.length > 0 && (yield* block({ subject, kind: "device", at }));
}
