import type { PackageRecords } from "../../domain/ports.ts";
import type { Connections } from "./connections.ts";
import { roomColumns, roomCountsOf, type RoomRow } from "./room-counts.ts";
import { statement } from "./statement.ts";

const HOUR_MS = 3_600_000;

// As for an announcement, those a whole window in the future don't count.
const READ = statement(
  "read_usage",
  `SELECT ${roomColumns("$1", "$2", "$3::bigint")}, hour.*
   FROM (SELECT count(*) AS announcements, min(at) AS first_at FROM announcements
     WHERE device_id = $1 AND app_id = $4 AND at > $3::bigint - ${HOUR_MS} AND at < $3::bigint + ${HOUR_MS}) AS hour`,
);

interface UsageRow extends RoomRow {
  readonly announcements: number;
  readonly first_at: number | null;
}

/** What an announcement would be judged by, from the counters (rule A4). */
export function usageReads(connections: Connections): PackageRecords["readUsage"] {
  return async ({ deviceId, appId }, { now, address, networks }) => {
    const values = [deviceId, [address, ...networks], now, appId];
    const [row] = await connections.read<UsageRow>(READ, values);
    if (row === undefined) throw new Error("The database counts nothing.");
    return {
      ...roomCountsOf(row),
      waitingPackages: row.device_waiting ?? 0,
      announcements: row.announcements,
      firstAnnouncedAt: row.first_at,
    };
  };
}
