import { ALL_ROOM } from "./counts.ts";
import { askAll, statement, tell, type Work } from "./statement.ts";
import { allTables, type TableName } from "./tables.ts";

/** The numbers that a database counts. */
const NUMBERED = allTables().flatMap(([table, { columns }]) =>
  Object.entries(columns)
    .filter(([, type]) => type.startsWith("numbered"))
    .map(([column]) => ({
      table,
      last: statement<{ readonly last: number }>(
        `copy_last_${table}`,
        (sql) => `SELECT ${sql.lastNumber(table, column)} AS last`,
      ),
      continue: statement(`copy_continue_${table}`, (sql) => sql.continueAfter(table, column)),
    })),
);

/** A table that counts its rows, and the last number that it gave, even to a row that is gone. */
export interface LastNumber {
  readonly table: TableName;
  readonly last: number;
}

/** Reads the last numbers. */
export function* readNumbers(): Work<readonly LastNumber[]> {
  const rows = yield* askAll(...NUMBERED.map(({ last }) => last()));
  return NUMBERED.map(({ table }, index) => ({ table, last: rows[index]?.[0]?.last ?? 0 }));
}

const COUNT_PARTIALS = statement(
  "copy_count_partials",
  `UPDATE packages SET partial_bytes = (
     SELECT CAST(coalesce(sum(stored_bytes), 0) AS bigint) FROM partials
     WHERE partials.package_id = packages.package_id)
   WHERE partial_bytes <> 0`,
);
const CLEAR_LOCKS = statement("copy_clear_device_locks", "DELETE FROM device_locks");
const CLEAR_APPS = statement("copy_clear_app_counts", "DELETE FROM app_counts");
const CLEAR_ROOM = statement("copy_clear_room_counts", "DELETE FROM room_counts");
const MAKE_LOCKS = statement(
  "copy_make_device_locks",
  "INSERT INTO device_locks (device_id) SELECT device_id FROM devices",
);
/** Counts as `countChanges` does. */
const COUNT_APPS = statement(
  "copy_count_apps",
  `INSERT INTO app_counts (device_id, app_id, waiting_packages, stored_bytes, reserved_bytes, spare_bytes)
   SELECT device_id, app_id,
     coalesce(sum(counts) FILTER (WHERE committed_at IS NOT NULL AND outcome IS NULL), 0),
     coalesce(sum(counts * (announced_bytes - missing_bytes)) FILTER (WHERE spare = 0), 0)
       + coalesce(sum(partial_bytes) FILTER (WHERE room_held_until = 0), 0),
     coalesce(sum(missing_bytes) FILTER (WHERE room_held_until > 0), 0),
     coalesce(sum(counts * (announced_bytes - missing_bytes)) FILTER (WHERE spare = 1), 0)
   FROM packages GROUP BY device_id, app_id`,
);
const COUNT_ROOM = statement(
  "copy_count_room",
  (sql) => `INSERT INTO room_counts (tier, bytes)
   SELECT value, sum(missing_bytes) FROM packages, ${sql.textsOf("room_tiers")}
   WHERE room_held_until > 0 AND missing_bytes > 0 GROUP BY value
   UNION ALL
   SELECT ${sql.ownSlot(`'${ALL_ROOM}'`)}, sum(missing_bytes) FROM packages
   WHERE room_held_until > 0 AND missing_bytes > 0 HAVING sum(missing_bytes) > 0`,
);

/** Forgets what quotas compare. */
export function* clearCounts(): Work<void> {
  yield* tell(CLEAR_LOCKS(), CLEAR_APPS(), CLEAR_ROOM());
}

/** Counts what quotas compare, and continues the numbers. */
export function* countAgain(numbers: readonly LastNumber[]): Work<void> {
  yield* tell(COUNT_PARTIALS());
  yield* clearCounts();
  yield* tell(MAKE_LOCKS(), COUNT_APPS(), COUNT_ROOM());
  const lasts = new Map(numbers.map(({ table, last }) => [table, last]));
  yield* tell(
    ...NUMBERED.map(({ table, continue: step }) => step({ last: lasts.get(table) ?? 0 })),
  );
}
