import type { DatabaseSync } from "node:sqlite";
import type { Row } from "../../storage/rows.ts";
import type { MovedTable } from "./moved-tables.ts";

/** Rows of one table, as PostgreSQL gets them. */
export interface RowBatch {
  readonly rows: readonly Row[];
  /** Where the next batch begins: after this one. */
  readonly last: string | number;
}

const MAX_ROWS = 500;
const MAX_UNITS = 1_000_000;
/** The column that batches are cut by. */
const ORDER = "move_order";

/** The rows of a table in batches that aren't large, after the given place. */
export function* rowBatches(
  database: DatabaseSync,
  table: MovedTable,
  after?: string | number,
): Generator<RowBatch, void, void> {
  let rows: Row[] = [];
  let units = 0;
  let last: string | number = "";
  for (const row of sourceRows(database, table, after)) {
    const { [ORDER]: order, ...columns } = row;
    last = typeof order === "number" ? order : String(order);
    rows.push(columns);
    units += sizeOf(columns);
    if (rows.length < MAX_ROWS && units < MAX_UNITS) continue;
    yield { rows, last };
    rows = [];
    units = 0;
  }
  if (rows.length > 0) yield { rows, last };
}

/** How many rows of a table move. */
export function countRows(database: DatabaseSync, table: MovedTable): number {
  const { where } = clausesOf(table);
  const counted = `SELECT count(*) AS n FROM ${table.table} WHERE ${where}`;
  return Number(database.prepare(counted).get()?.["n"]);
}

function sourceRows(
  database: DatabaseSync,
  table: MovedTable,
  after: string | number | undefined,
): Iterable<Row> {
  const { where, order } = clausesOf(table);
  const columns = table.columns.map(
    (name) => `${table.source?.columns?.[name] ?? name} AS ${name}`,
  );
  const beyond = after === undefined ? "" : `AND ${order} > ?`;
  const statement = database.prepare(
    `SELECT ${order} AS ${ORDER}, ${columns.join(", ")} FROM ${table.table} WHERE ${where} ${beyond} ORDER BY ${order}`,
  );
  return statement.iterate(...(after === undefined ? [] : [after]));
}

function clausesOf({ source: { where = "1", order = "rowid" } = {} }: MovedTable) {
  return { where, order };
}

function sizeOf(row: Row): number {
  return Object.values(row).reduce<number>(
    (sum, value) => sum + (typeof value === "string" ? value.length : 8),
    0,
  );
}
