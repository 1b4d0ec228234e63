import type { DatabaseSync } from "node:sqlite";
import { judgeInsert } from "../../../core/quotas/judge-insert.ts";
import type { InsertOptions, InsertOutcome } from "../../domain/ports.ts";
import type { AddressWindow } from "./address-window.ts";
import { recounter, roomCounter } from "./room-counts.ts";
import { answerOf, type NewPackageColumns, number, roomOf } from "../rows.ts";

const HOUR_MS = 3_600_000;

/** Judges an insert by the counters, inside the inserting transaction. */
export function insertJudgement(
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

  return (columns, { now, provenNow = now, latestEnd, quotas, address, idempotency }) => {
    const { device_id: deviceId, app_id: appId, announced_bytes: bytes } = columns;
    recount(provenNow, latestEnd);
    const counted = device.get(deviceId);
    const earlier = idempotency && answer.get(deviceId, appId, idempotency.key);
    const others = Math.max(0, quotas.packagesPerHour - 1);
    const nth = nthLatest.get(deviceId, appId, now + HOUR_MS, others);
    const { networks = [] } = roomOf({ ...columns }) ?? {};
    const room = countRoom({ deviceId, address, networks, now, provenNow });
    const verdict = judgeInsert(
      {
        deviceExists: counted !== undefined,
        earlier: earlier && answerOf(earlier),
        nthLatestAt: nth && number(nth["at"]),
        waitingPackages: number(counted?.["waiting_packages"] ?? 0),
        ...room.counts,
      },
      quotas,
      { bytes, now, provenNow },
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
