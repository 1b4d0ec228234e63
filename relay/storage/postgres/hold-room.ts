import { judgeRoom } from "../../../core/quotas/judge-room.ts";
import type { HoldOptions, HoldOutcome } from "../../domain/ports.ts";
import { withoutOwnRoom } from "../both-databases.ts";
import { roomOf, tiersText } from "../rows.ts";
import type { Connections, Transaction } from "./connections.ts";
import {
  CountChanges,
  COUNTED_COLUMNS,
  type CountedColumns,
  endedColumns,
  type EndedRow,
  recount,
} from "./counts.ts";
import { endLapsed, NO_ROOM } from "./expiry.ts";
import { LOCK_DEVICE_OF_PACKAGE } from "./lock-order.ts";
import {
  lapsedColumn,
  lockTiers,
  refuseRoom,
  type RoomCaller,
  roomColumns,
  roomCountsOf,
  type RoomRow,
} from "./room-counts.ts";
import { statement } from "./statement.ts";

const MAX_TRIES = 4;

const UPLOADING = statement(
  "lock_uploading",
  `SELECT device_id, ${COUNTED_COLUMNS} FROM packages
   WHERE package_id = $1 AND committed_at IS NULL AND files_deleted = 0 AND files_end_at > $2
   FOR NO KEY UPDATE`,
);
const READ = statement(
  "read_for_hold",
  `SELECT ${roomColumns("$1", "$2", "$3::bigint")}, ${endedColumns("$1", "$4")},
     ${lapsedColumn("$4", "$5")}`,
);
const HOLD = statement(
  "hold_room",
  `UPDATE packages SET room_held_until = $2, room_tiers = $3, room_address = $4
   WHERE package_id = $1`,
);

interface UploadingRow extends CountedColumns {
  readonly device_id: string;
}

interface JudgedRow extends RoomRow, EndedRow {
  readonly has_lapsed: boolean;
}

interface LapseFirst {
  readonly kind: "lapse-first";
  readonly refusal: HoldOutcome;
}

/** Returns a function that keeps a package's room, or judges whether it gets room again. */
export function roomHold(connections: Connections) {
  return async (packageId: string, options: HoldOptions): Promise<HoldOutcome> => {
    for (let tried = 1; ; tried++) {
      const outcome = await connections.transaction((tx) => hold(tx, packageId, options), {
        ifUnknown: "repeat",
      });
      if (outcome.kind !== "lapse-first") return outcome;
      if (tried === MAX_TRIES) return outcome.refusal;
      await endLapsed(connections, options.confirmedNow, options.latestEnd);
    }
  };
}

async function hold(
  tx: Transaction,
  packageId: string,
  options: HoldOptions,
): Promise<HoldOutcome | LapseFirst> {
  const { confirmedNow, latestEnd = Infinity, replacedBytes, room } = options;
  tx.send(LOCK_DEVICE_OF_PACKAGE, [packageId]);
  const [stored] = await tx.query<UploadingRow>(UPLOADING, [packageId, confirmedNow]);
  if (stored === undefined) return { kind: "gone" };
  const hasLapsed = stored.room_held_until <= confirmedNow || stored.room_held_until > latestEnd;
  const held = hasLapsed ? null : roomOf({ ...stored });
  const bytes = stored.missing_bytes;
  if (replacedBytes > 0 || (bytes > 0 && held?.address !== room.address)) {
    const refusal = await judge(tx, stored, options);
    if (refusal !== undefined) return refusal;
  }
  const until = Math.max(held?.until ?? 0, room.until);
  const next =
    bytes > 0 ? { room_held_until: until, room_tiers: tiersText(room) } : hasLapsed ? NO_ROOM : {};
  if (bytes > 0 || hasLapsed) {
    tx.send(HOLD, [
      packageId,
      next.room_held_until,
      next.room_tiers,
      bytes > 0 ? room.address : null,
    ]);
  }
  const counts = new CountChanges();
  counts.change(stored.device_id, stored, { ...stored, ...next });
  counts.write(tx);
  return { kind: "held" };
}

async function judge(
  tx: Transaction,
  stored: UploadingRow,
  { now, confirmedNow, latestEnd = Infinity, room, quotas, replacedBytes }: HoldOptions,
): Promise<HoldOutcome | LapseFirst | undefined> {
  const { address, networks } = room;
  const caller = { deviceId: stored.device_id, address, networks, now, confirmedNow };
  const own = {
    bytes: stored.missing_bytes,
    partialBytes: stored.partial_bytes,
    held: stored.room_held_until > 0 ? roomOf({ ...stored }) : null,
  };
  const bytes = own.bytes - own.partialBytes;
  const judgeCounts = async () => {
    const row = await readCounts(tx, caller, latestEnd);
    const others = withoutOwnRoom(roomCountsOf(row), own, room);
    return { row, refused: judgeRoom(others, quotas, { bytes, replacedBytes }) };
  };
  lockTiers(tx, caller, quotas);
  let judged = await judgeCounts();
  if (judged.row.lacks_some || (judged.row.counts_ended && judged.refused !== undefined)) {
    await recount(tx, caller.deviceId, confirmedNow);
    judged = await judgeCounts();
  }
  if (judged.refused === undefined) return undefined;
  const refusal = await refuseRoom(tx, judged.refused, judged.row, caller);
  return judged.row.has_lapsed ? { kind: "lapse-first", refusal } : refusal;
}

async function readCounts(
  tx: Transaction,
  { deviceId, address, networks, now, confirmedNow }: RoomCaller,
  latestEnd: number,
): Promise<JudgedRow> {
  const [row] = await tx.query<JudgedRow>(READ, [
    deviceId,
    [address, ...networks],
    now,
    confirmedNow,
    Math.min(latestEnd, Number.MAX_SAFE_INTEGER),
  ]);
  if (row === undefined) throw new Error("The database counts nothing.");
  return row;
}
