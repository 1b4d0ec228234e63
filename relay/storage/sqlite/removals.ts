import type { DatabaseSync } from "node:sqlite";
import type { RemovalKind } from "../removals-log.ts";

/**
 * Returns a function that notes a removal inside its caller's transaction (rule Z11). Its time is the machine's, or
 * the latest relay time that was kept, so that a clock that was set back doesn't make it look old.
 */
export function removalNoter(database: DatabaseSync): (kind: RemovalKind, id: string) => void {
  const insert = database.prepare(
    `INSERT INTO removals (at, kind, id)
     SELECT max(?, coalesce((SELECT CAST(value AS INTEGER) FROM upkeep WHERE name = 'time'), 0)), ?, ?`,
  );
  return (kind, id) => void insert.run(Date.now(), kind, id);
}
