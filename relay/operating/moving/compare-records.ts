import type { DatabaseSync } from "node:sqlite";
import { statement } from "../../storage/postgres/statement.ts";
import type { Row } from "../../storage/rows.ts";
import { isDropped, jsonOf } from "./move-records.ts";
import type { MoveTarget } from "./move-target.ts";
import { MOVED_TABLES, type MovedTable } from "./moved-tables.ts";
import { rowBatches } from "./source-rows.ts";

interface Compared {
  readonly source: DatabaseSync;
  readonly database: MoveTarget["database"];
  readonly droppedPartials: ReadonlySet<string>;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Reads every row of every table on both sides.
 * @returns what differs, a line for each table; nothing if all are the same
 */
export async function compareRecords(compared: Compared): Promise<readonly string[]> {
  const differences: string[] = [];
  for (const table of MOVED_TABLES) {
    let expected = 0;
    let different = 0;
    for (const { rows } of rowBatches(compared.source, table)) {
      compared.signal?.throwIfAborted();
      const wanted = rows.filter((row) => !isDropped(table, row, compared.droppedPartials));
      expected += wanted.length;
      if (table.key.length > 0) different += await countDifferent(compared, table, wanted);
    }
    const found = await countAll(compared, table);
    if (different > 0 || found !== expected) {
      differences.push(
        `${table.table}: ${expected} rows here, ${found} there, ${different} differ`,
      );
    }
  }
  return differences;
}

async function countDifferent(
  { database }: Compared,
  table: MovedTable,
  wanted: readonly Row[],
): Promise<number> {
  const keyOf = (row: Row) => JSON.stringify(table.key.map((name) => row[name]));
  const rows = await database.connections.readSlowly<Row>(findIn(table), [
    jsonOf(
      wanted.map((row) => Object.fromEntries(table.key.map((name) => [name, row[name] ?? null]))),
    ),
  ]);
  const found = new Map(rows.map((row) => [keyOf(row), row]));
  const compared = table.columns.filter((name) => table.recounted?.includes(name) !== true);
  return wanted.filter((row) => {
    const other = found.get(keyOf(row));
    return other === undefined || compared.some((name) => other[name] !== row[name]);
  }).length;
}

async function countAll({ database }: Compared, { table }: MovedTable): Promise<number> {
  const count = statement(`move_count_${table}`, `SELECT count(*) AS n FROM ${table}`);
  const [row] = await database.connections.readSlowly<{ n: number }>(count);
  return row?.n ?? 0;
}

function findIn({ table, columns, key }: MovedTable) {
  const same = key.map((name) => `found.${name} = wanted.${name}`).join(" AND ");
  return statement(
    `move_find_${table}`,
    `SELECT ${columns.map((name) => `found.${name}`).join(", ")}
     FROM json_populate_recordset(NULL::${table}, $1::json) AS wanted JOIN ${table} AS found ON ${same}`,
  );
}
