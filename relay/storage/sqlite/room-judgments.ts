import type { DatabaseSync } from "node:sqlite";
import { judgeInsert } from "../../../core/quotas/judge-insert.ts";
import { judgeRoom } from "../../../core/quotas/judge-room.ts";
import type { HoldOptions, HoldOutcome, InsertOptions, InsertOutcome } from "../../domain/ports.ts";
import { ANNOUNCEMENTS_COUNT_MS, withoutOwnRoom } from "../both-databases.ts";
import { answerOf, type NewPackageColumns, number, roomOf, text, tiersText } from "../rows.ts";
import { type AddressWindow, addressWindows } from "./address-window.ts";
import { recounter, roomCounter } from "./room-counts.ts";

/** Returns a function that judges an insert by the counters, inside the inserting transaction. */
export function insertJudgment(
  database: DatabaseSync,
  readAddress: (address: string, now: number) => AddressWindow,
): (columns: NewPackageColumns, options: InsertOptions) => InsertOutcome {
  const recount = recounter(database);
  const countRoom = roomCounter(database, readAddress);
  const device = database.prepare("SELECT waiting_packages FROM devices WHERE device_id = ?");
  const answer = database.prepare(
    `SELECT key, body_hash, answer, ends_at FROM idempotency_keys
     WHERE device_id = ? AND app_id = ? AND key = ?`,
  );
  // Announcements a whole window in the future don't count: the clock was set back.
  const nthLatest = database.prepare(
    `SELECT at FROM announcements WHERE device_id = ? AND app_id = ? AND at < ?
     ORDER BY at DESC LIMIT 1 OFFSET ?`,
  );

  return (columns, { now, confirmedNow = now, latestEnd, quotas, address, idempotency }) => {
    const { device_id: deviceId, app_id: appId, announced_bytes: bytes } = columns;
    recount(confirmedNow, latestEnd);
    const counted = device.get(deviceId);
    const earlier = idempotency && answer.get(deviceId, appId, idempotency.key);
    const others = Math.max(0, quotas.packagesPerHour - 1);
    const nth = nthLatest.get(deviceId, appId, now + ANNOUNCEMENTS_COUNT_MS, others);
    const { networks = [] } = roomOf({ ...columns }) ?? {};
    const room = countRoom({ deviceId, address, networks, now, confirmedNow });
    const verdict = judgeInsert(
      {
        deviceExists: counted !== undefined,
        earlier: earlier && answerOf(earlier),
        nthLatestAt: nth && number(nth["at"]),
        waitingPackages: number(counted?.["waiting_packages"] ?? 0),
        ...room.counts,
      },
      quotas,
      { bytes, now, confirmedNow },
    );
    switch (verdict.kind) {
      case "admitted":
        return { kind: "inserted" };
      case "device-gone":
      case "replay":
      case "hourly-limit":
      case "many-wait":
        return verdict;
      case "address-limit":
      case "uploads-unfinished":
      case "device-full":
      case "no-room":
        return room.refuse(verdict);
    }
  };
}

/** An upload's request for room, as it is sent to the writer thread. */
export interface RoomHold {
  readonly packageId: string;
  readonly options: HoldOptions;
}

/** Returns a function that keeps or judges a package's room. Runs inside its caller's transaction. */
export function holdWrite(database: DatabaseSync): (hold: RoomHold) => HoldOutcome {
  const addresses = addressWindows(database);
  const recount = recounter(database);
  const countRoom = roomCounter(database, (address, now) => addresses.read(address, now));
  const uploading = database.prepare(
    `SELECT device_id, missing_bytes, partial_bytes, room_held_until, room_tiers FROM packages
     WHERE package_id = ? AND committed_at IS NULL AND files_deleted = 0 AND files_end_at > ?`,
  );
  const hold = database.prepare(
    `UPDATE packages SET room_held_until = max(room_held_until, :until), room_tiers = :tiers
     WHERE package_id = :packageId`,
  );

  return ({ packageId, options }) => {
    const { now, confirmedNow, latestEnd, quotas, replacedBytes } = options;
    const { address, networks, until } = options.room;
    recount(confirmedNow, latestEnd);
    const row = uploading.get(packageId, confirmedNow);
    if (row === undefined) return { kind: "gone" };
    const bytes = number(row["missing_bytes"]);
    const held = roomOf(row);
    if (replacedBytes > 0 || (bytes > 0 && held?.address !== address)) {
      const deviceId = text(row["device_id"]);
      const room = countRoom({ deviceId, address, networks, now, confirmedNow });
      const partialBytes = number(row["partial_bytes"]);
      const others = withoutOwnRoom(room.counts, { bytes, partialBytes, held }, options.room);
      const refused = judgeRoom(others, quotas, { bytes: bytes - partialBytes, replacedBytes });
      if (refused !== undefined) return room.refuse(refused);
    }
    if (bytes > 0) hold.run({ packageId, until, tiers: tiersText(options.room) });
    return { kind: "held" };
  };
}
