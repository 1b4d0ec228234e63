import { parseAddressRange } from "../../../core/quotas/address-tiers.ts";
import type { Removal } from "../removals-log.ts";
import { block, unblock } from "./decisions.ts";
import { allow, deny, listCandidates, takeOut } from "./denials.ts";
import { findDevice } from "./devices.ts";
import { lockDevice } from "./locks.ts";
import { erase, purge, revoke, revokedHash } from "./operator-removals.ts";
import { removeKeyAgain } from "./registration-keys.ts";
import type { Work } from "./statement.ts";
import { removeToken } from "./unpair.ts";

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
      return (yield* removeToken(id, at)) !== undefined;
    case "package":
      return (yield* purge({ id })) !== undefined;
    case "revoked":
      if ((yield* findDevice(revokedHash(id))) !== undefined) return false;
      return (yield* revoke({ id, now: at })) !== undefined;
    case "key":
      return yield* removeKeyAgain(id, at);
    case "denied": {
      const isNew = yield* deny({ sha256: id, at });
      for (const packageId of yield* listCandidates(id)) yield* takeOut({ packageId, sha256: id });
      return isNew;
    }
    case "allowed":
      return yield* allow({ sha256: id });
    case "blocked": {
      const isAddress = parseAddressRange(id) !== undefined;
      if (!isAddress && !(yield* lockDevice(id))) return false;
      return yield* block({ subject: id, kind: isAddress ? "address" : "device", at });
    }
    case "unblocked":
      return yield* unblock({ subject: id });
    default:
      return false;
  }
}
