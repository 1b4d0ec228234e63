import { judgeRoom } from "../../../core/quotas/judge-room.ts";
import type { HoldOptions, HoldOutcome } from "../../domain/ports.ts";
import { change } from "./change.ts";
import { countChanges } from "./counts.ts";
import { lockPackages, type StoredRow } from "./key-moves.ts";
import { LOCK_DEVICE_OF_PACKAGE } from "./locks.ts";
import {
  finiteEnd,
  type Judged,
  JUDGED_COLUMNS,
  judgeCounts,
  type JudgedRow,
  NO_ROOM,
  refuseRoom,
  withoutOwnRoom,
} from "./room.ts";
import { roomOf, tiersText } from "./rows.ts";
import { ask, statement, tell, type Work } from "./statement.ts";

const UPLOADING = lockPackages(
  "lock_uploading",
  `package_id = :packageId AND committed_at IS NULL AND files_deleted = 0
     AND files_end_at > :confirmedNow FOR NO KEY UPDATE`,
);
const READ = statement<JudgedRow>("read_for_hold", `SELECT ${JUDGED_COLUMNS}`);
const HOLD = statement(
  "hold_room",
  `UPDATE packages SET room_held_until = :room_held_until, room_tiers = :room_tiers,
     room_address = :room_address
   WHERE package_id = :package_id`,
);

/** An upload's request for room. */
export interface RoomHold {
  readonly packageId: string;
  readonly options: HoldOptions;
}

export const ROOM_CHANGES = {
  holdRoom: change(holdRoom, { ifUnknown: "repeat", writes: "package" }),
};

/** Keeps a package's room, or judges whether it gets room again. */
function* holdRoom({ packageId, options }: RoomHold): Work<Judged<HoldOutcome>> {
  const { confirmedNow, latestEnd, replacedBytes, room } = options;
  yield* tell(LOCK_DEVICE_OF_PACKAGE({ packageId }));
  const [stored] = yield* ask(UPLOADING({ packageId, confirmedNow }));
  if (stored === undefined) return { outcome: { kind: "gone" }, hasLapsed: false };
  const { room_held_until: heldUntil, missing_bytes: bytes } = stored;
  const hasLapsed = heldUntil <= confirmedNow || heldUntil > finiteEnd(latestEnd);
  const held = hasLapsed ? null : roomOf(stored);
  if (replacedBytes > 0 || (bytes > 0 && held?.address !== room.address)) {
    const refusal = yield* judge(stored, options);
    if (refusal !== undefined) return refusal;
  }
  if (bytes > 0 || hasLapsed) {
    const until = Math.max(held?.until ?? 0, room.until);
    const columns = bytes > 0 ? { room_held_until: until, room_tiers: tiersText(room) } : NO_ROOM;
    const next = { ...stored, ...columns };
    yield* tell(HOLD({ ...next, room_address: bytes > 0 ? room.address : null }));
    yield* countChanges([{ before: stored, after: next }]);
  }
  return { outcome: { kind: "held" }, hasLapsed: false };
}

/** Returns a refusal, if the package's room must be refused. */
function* judge(
  stored: StoredRow,
  { now, confirmedNow, latestEnd, room, quotas, replacedBytes }: HoldOptions,
): Work<Judged<HoldOutcome> | undefined> {
  const { address, networks } = room;
  const caller = {
    deviceId: stored.device_id,
    appId: stored.app_id,
    address,
    networks,
    now,
    confirmedNow,
  };
  const reading = READ({ ...caller, latestEnd: finiteEnd(latestEnd) });
  const { row, refused } = yield* judgeCounts(caller, { reading, quotas }, ({ counts }) =>
    judgeRoom(withoutOwnRoom(counts, stored, room), quotas, {
      bytes: stored.missing_bytes - stored.partial_bytes,
      replacedBytes,
    }),
  );
  if (refused === undefined) return undefined;
  const outcome = yield* refuseRoom(refused, row, caller);
  return { outcome, hasLapsed: row.has_lapsed === 1 };
}
