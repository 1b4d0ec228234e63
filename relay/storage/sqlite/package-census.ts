import type { DatabaseSync } from "node:sqlite";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { PackageCensus } from "../../domain/ports.ts";
import { number, text } from "../rows.ts";

/** Takes about a millisecond. Other calls are served in between. */
const CHUNK = 2000;

/** Counts the packages a chunk at a time. A package that changes meanwhile counts as before or after. */
export function packageCensus(database: DatabaseSync): (now: number) => Promise<PackageCensus> {
  const chunk = database.prepare(
    `WITH chunk AS MATERIALIZED (
       SELECT rowid AS id, outcome, committed_at, files_end_at, files_deleted
       FROM packages WHERE rowid > ?1 ORDER BY rowid LIMIT +?2)
     SELECT max(id) AS last, count(*) AS count, min(committed_at) AS oldest,
       CASE WHEN outcome IS NOT NULL THEN outcome
         WHEN files_deleted = 1 OR files_end_at <= ?3 THEN 'expired'
         WHEN committed_at IS NULL THEN 'uploading'
         ELSE 'waiting' END AS status
     FROM chunk GROUP BY status`,
  );
  const reserved = database.prepare(
    `SELECT coalesce(sum(reserved_bytes), 0) AS bytes FROM packages
     WHERE room_held_until > ? AND room_held_until > 0`,
  );
  return async (now) => {
    const counts = { uploading: 0, waiting: 0, imported: 0, partial: 0, failed: 0, expired: 0 };
    let oldestWaitingAt: number | null = null;
    let after = 0;
    for (;;) {
      const rows = chunk.all(after, CHUNK, now);
      for (const row of rows) {
        const status = text(row["status"]);
        if (!isCounted(status, counts)) throw new Error(`A package has the outcome ${status}.`);
        counts[status] += number(row["count"]);
        after = Math.max(after, number(row["last"]));
        if (status === "waiting") {
          oldestWaitingAt = Math.min(oldestWaitingAt ?? Infinity, number(row["oldest"]));
        }
      }
      if (rows.length === 0) break;
      await nextTurn();
    }
    return { counts, oldestWaitingAt, reservedBytes: number(reserved.get(now)?.["bytes"]) };
  };
}

function isCounted<Status extends string>(
  status: string,
  counts: Readonly<Record<Status, number>>,
): status is Status {
  return Object.hasOwn(counts, status);
}
