import { RECEIVED_COUNTS_MS } from "./address-window.ts";
import type { Connections } from "./connections.ts";
import { endLapsed } from "./lapse.ts";
import { ALL_ROOM } from "./lock-order.ts";
import { statement } from "./statement.ts";

const BATCH = 5000;
/** Announcements count for an hour; the clocks of processes may differ. */
const ANNOUNCEMENTS_MS = RECEIVED_COUNTS_MS;

const forget = (table: string, condition: string) =>
  statement(
    `forget_old_${table}`,
    `DELETE FROM ${table} WHERE ctid = ANY(ARRAY(
       SELECT ctid FROM ${table} WHERE ${condition} LIMIT ${BATCH} FOR UPDATE SKIP LOCKED))
     RETURNING 1 AS forgotten`,
  );
const ANNOUNCEMENTS = forget("announcements", "at <= $1");
const RECEIVED = forget("received", "at <= $1");
const ANSWERS = forget("idempotency_keys", "ends_at <= $1");
const CODES = forget("pairing_codes", "expires_at <= $1");
const REQUESTS = forget("pairing_requests", "expires_at <= $1");
const TIERS = forget("room_counts", `tier < '${ALL_ROOM}' AND bytes = 0 AND $1::bigint > 0`);

/** Deletes what has expired, a batch at a time. Several processes share the work. */
export function forgetOld(connections: Connections) {
  return async (now: number): Promise<void> => {
    const ends = [
      [ANNOUNCEMENTS, now - ANNOUNCEMENTS_MS],
      [RECEIVED, now - RECEIVED_COUNTS_MS],
      [ANSWERS, now],
      [CODES, now],
      [REQUESTS, now],
    ] as const;
    for (const [statement, time] of ends) {
      while ((await connections.write(statement, [time])).length === BATCH);
    }
    await endLapsed(connections, now);
    await connections.write(TIERS, [now]);
  };
}
