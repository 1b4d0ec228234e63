import type { DatabaseSync } from "node:sqlite";
import type { PackageRecords } from "../../domain/ports.ts";
import { addressWindows } from "./address-window.ts";
import { roomCounter } from "./room-counts.ts";
import { number, numberOrNull } from "../rows.ts";

const HOUR_MS = 3_600_000;

/**
 * What an announcement would be judged by, from the counters (rule A4). It ends no lapsed reservation and stops counting
 * nothing that has expired, because that writes: the next announcement or sweep does.
 */
export function usageReads(database: DatabaseSync): PackageRecords["readUsage"] {
  const addresses = addressWindows(database);
  const countRoom = roomCounter(database, (address, now) => addresses.read(address, now));
  const device = database.prepare("SELECT waiting_packages FROM devices WHERE device_id = ?");
  // As for an announcement, those a whole window in the future don't count.
  const announced = database.prepare(
    `SELECT count(*) AS count, min(at) AS first FROM announcements
     WHERE device_id = ? AND app_id = ? AND at > ? AND at < ?`,
  );
  return async ({ deviceId, appId }, asked) => {
    const { now } = asked;
    const hour = announced.get(deviceId, appId, now - HOUR_MS, now + HOUR_MS);
    return {
      ...countRoom({ deviceId, ...asked, provenNow: now }).counts,
      waitingPackages: number(device.get(deviceId)?.["waiting_packages"] ?? 0),
      announcements: number(hour?.["count"]),
      firstAnnouncedAt: numberOrNull(hour?.["first"]),
    };
  };
}
