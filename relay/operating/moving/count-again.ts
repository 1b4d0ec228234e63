import type { DatabaseSync } from "node:sqlite";
import { statement } from "../../storage/postgres/statement.ts";
import { number, text } from "../../storage/rows.ts";
import type { MoveTarget } from "./move-target.ts";

const STATEMENT_MS = 600_000;

/** As `relay/storage/postgres/counts.ts` counts. */
const COUNT = `
  UPDATE packages SET partial_bytes = coalesce(
      (SELECT sum(stored_bytes) FROM partials WHERE partials.package_id = packages.package_id), 0)
    WHERE partial_bytes <> 0;
  DELETE FROM device_counts;
  INSERT INTO device_counts (device_id, waiting_packages, stored_bytes, reserved_bytes)
    SELECT device_id,
      coalesce(sum(counts) FILTER (WHERE committed_at IS NOT NULL AND outcome IS NULL), 0),
      coalesce(sum(counts * (announced_bytes - missing_bytes)), 0)
        + coalesce(sum(partial_bytes) FILTER (WHERE room_held_until = 0), 0),
      coalesce(sum(missing_bytes) FILTER (WHERE room_held_until > 0), 0)
    FROM devices LEFT JOIN packages USING (device_id) GROUP BY device_id;
  DELETE FROM room_counts;
  INSERT INTO room_counts (tier, bytes)
    SELECT tier, sum(missing_bytes) FROM packages, json_array_elements_text(room_tiers::json) AS tier
    WHERE room_held_until > 0 AND missing_bytes > 0 GROUP BY tier
    UNION ALL
    SELECT '~0', sum(missing_bytes) FROM packages WHERE room_held_until > 0 AND missing_bytes > 0
    HAVING sum(missing_bytes) > 0`;

/** Columns that are numbered by the database. */
const NUMBERED = [
  ["packages", "place"],
  ["first_reports", "seq"],
  ["received", "seq"],
  ["operator_log", "seq"],
] as const;

/** Counts what quotas compare, and lets numbers go on after the last one that was used, also one that was removed. */
export async function countAgain(
  { database }: Pick<MoveTarget, "database">,
  source: DatabaseSync,
): Promise<void> {
  const used = new Map(
    source
      .prepare("SELECT name, seq FROM sqlite_sequence")
      .all()
      .map((row) => [text(row["name"]), number(row["seq"])]),
  );
  await database.connections.transaction(
    async (tx) => {
      await tx.run(COUNT);
      for (const [table, column] of NUMBERED) {
        const values = [used.get(table) ?? 0];
        await tx.query(
          statement(
            `move_number_${table}`,
            `SELECT setval(pg_get_serial_sequence('${table}', '${column}'),
               greatest(1, $1::bigint, (SELECT coalesce(max(${column}), 0) FROM ${table})))`,
          ),
          values,
        );
      }
    },
    { statementMs: STATEMENT_MS },
  );
}
