import { judgeRoom } from "../../../core/quotas/judge-room.ts";
import type { HoldOptions, HoldOutcome } from "../../domain/ports.ts";
import { change } from "./change.ts";
import { CountChanges, COUNTED_COLUMNS, type CountedColumns } from "./counts.ts";
import { LOCK_DEVICE_OF_PACKAGE } from "./locks.ts";
import type { LapseFirst } from "./package-insert.ts";
import {
  finiteEnd,
  JUDGED_COLUMNS,
  type JudgedRow,
  judgeCounts,
  judgedValues,
  NO_ROOM,
  refuseRoom,
  withoutOwnRoom,
} from "./room.ts";
import { roomOf, tiersText } from "./rows.ts";
import { ask, statement, tell, type Work } from "./statement.ts";

const UPLOADING = statement<UploadingRow>(
  "lock_uploading",
  (sql) =>
    `SELECT device_id, ${COUNTED_COLUMNS} FROM packages
     WHERE package_id = :package_id AND committed_at IS NULL AND files_deleted = 0
       AND files_end_at > :confirmed_now ${sql.lock}`,
);
const READ = statement<JudgedRow>("read_for_hold", `SELECT ${JUDGED_COLUMNS}`);
const HOLD = statement(
  "hold_room",
  `UPDATE packages SET room_held_until = :until, room_tiers = :tiers, room_address = :address
   WHERE package_id = :package_id`,
);

interface UploadingRow extends CountedColumns {
  readonly device_id: string;
}

/** An upload's request for room. */
export interface RoomHold {
  readonly packageId: string;
  readonly options: HoldOptions;
}

export const ROOM_CHANGES = {
  holdRoom: change(holdRoom, { ifUnknown: "repeat", writes: "package" }),
};

/** Keeps a package's room, or judges whether it gets room again. */
function* holdRoom({ packageId, options }: RoomHold): Work<HoldOutcome | LapseFirst<HoldOutcome>> {
  const { confirmedNow, latestEnd, replacedBytes, room } = options;
  yield* tell(LOCK_DEVICE_OF_PACKAGE({ package_id: packageId }));
  const [stored] = yield* ask(UPLOADING({ package_id: packageId, confirmed_now: confirmedNow }));
  if (stored === undefined) return { kind: "gone" };
  const { room_held_until: heldUntil, missing_bytes: bytes } = stored;
  const hasLapsed = heldUntil <= confirmedNow || heldUntil > finiteEnd(latestEnd);
  const held = hasLapsed ? null : roomOf({ ...stored });
  if (replacedBytes > 0 || (bytes > 0 && held?.address !== room.address)) {
    const refusal = yield* judge(stored, options);
    if (refusal !== undefined) return refusal;
  }
  if (bytes === 0 && !hasLapsed) return { kind: "held" };
  const next =
    bytes > 0
      ? { room_held_until: Math.max(held?.until ?? 0, room.until), room_tiers: tiersText(room) }
      : NO_ROOM;
  yield* tell(
    HOLD({
      package_id: packageId,
      until: next.room_held_until,
      tiers: next.room_tiers,
      address: bytes > 0 ? room.address : null,
    }),
  );
  const counts = new CountChanges();
  counts.change(stored.device_id, stored, { ...stored, ...next });
  yield* counts.write();
  return { kind: "held" };
}

function* judge(
  stored: UploadingRow,
  { now, confirmedNow, latestEnd, room, quotas, replacedBytes }: HoldOptions,
): Work<HoldOutcome | LapseFirst<HoldOutcome> | undefined> {
  const { address, networks } = room;
  const caller = { deviceId: stored.device_id, address, networks, now, confirmedNow };
  const own = {
    bytes: stored.missing_bytes,
    partialBytes: stored.partial_bytes,
    held: stored.room_held_until > 0 ? roomOf({ ...stored }) : null,
  };
  const reading = READ(judgedValues(caller, latestEnd));
  const { row, refused } = yield* judgeCounts(caller, { reading, quotas }, ({ counts }) =>
    judgeRoom(withoutOwnRoom(counts, own, room), quotas, {
      bytes: own.bytes - own.partialBytes,
      replacedBytes,
    }),
  );
  if (refused === undefined) return undefined;
  const refusal = yield* refuseRoom(refused, row, caller);
  return row.has_lapsed === 1 ? { kind: "lapse-first", refusal } : refusal;
}
