import type { DatabaseSync } from "node:sqlite";
import { escapeText } from "../../storage/postgres/client-line.ts";
import { statement } from "../../storage/postgres/statement.ts";
import { type Row, text } from "../../storage/rows.ts";
import { advance, keepUpkeep, type MoveState, type MoveTarget } from "./move-target.ts";
import { MOVED_TABLES, type MovedTable } from "./moved-tables.ts";

/** Rows of one table, as PostgreSQL gets them. */
interface RowBatch {
  readonly rows: readonly Row[];
  /** Place after which the next batch begins. */
  readonly last: string | number;
}

const MAX_ROWS = 500;
const MAX_UNITS = 1_000_000;
/** The column that batches are cut by. */
const ORDER = "move_order";

/** Reads the rows of a table in batches that aren't large, after the given place. */
function* rowBatches(
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

/** Counts the rows of a table that move. */
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

export interface MovingRecords {
  readonly source: DatabaseSync;
  readonly database: MoveTarget["database"];
  /** Keys of partials that don't move: their files are sent again. */
  readonly droppedPartials: ReadonlySet<string>;
  readonly onRows: (count: number) => void;
  readonly signal?: AbortSignal | undefined;
}

/** Time that a statement may take. One batch may carry some large manifests. */
const STATEMENT_MS = 60_000;

/**
 * Copies the rows of all tables, and continues at the point that a move has reached. Each batch is one transaction,
 * which also records that point.
 * @returns the state after that
 */
export async function moveRecords(moving: MovingRecords, begun: MoveState): Promise<MoveState> {
  if (begun.at === "done") return begun;
  let state = begun;
  for (const [index, table] of MOVED_TABLES.entries()) {
    if (index < begun.at) continue;
    const after = index === begun.at ? begun.after : undefined;
    for (const { rows, last } of rowBatches(moving.source, table, after)) {
      moving.signal?.throwIfAborted();
      const next: MoveState = { id: begun.id, at: index, after: last };
      await insertRows(moving, table, { rows, from: state, to: next });
      state = next;
      moving.onRows(rows.length);
    }
  }
  return state;
}

/** Copies the rows of `upkeep` that the relay needs at the target. */
export async function moveUpkeep({ source, database }: MovingRecords): Promise<void> {
  const rows = source
    .prepare(
      "SELECT name, value FROM upkeep WHERE name IN ('has_served', 'time', 'was_time_reset')",
    )
    .all();
  const values = Object.fromEntries(rows.map((row) => [text(row["name"]), text(row["value"])]));
  await database.connections.transaction((tx) => keepUpkeep(tx, values));
}

async function insertRows(
  { database, droppedPartials }: MovingRecords,
  table: MovedTable,
  {
    rows,
    from,
    to,
  }: { readonly rows: readonly Row[]; readonly from: MoveState; readonly to: MoveState },
): Promise<void> {
  const moved = rows.filter((row) => !isDropped(table, row, droppedPartials));
  await database.connections.transaction(
    async (tx) => {
      await advance(tx, from, to);
      await tx.query(insertInto(table), [jsonOf(moved)]);
    },
    { statementMs: STATEMENT_MS },
  );
}

/** Checks whether a row belongs to a partial that doesn't move. */
function isDropped({ table }: MovedTable, row: Row, dropped: ReadonlySet<string>): boolean {
  return (table === "partials" || table === "sound_keys") && dropped.has(text(row["key"]));
}

/** Formats rows for `json_populate_recordset`. */
function jsonOf(rows: readonly Row[]): string {
  return JSON.stringify(rows, (_, value: unknown) =>
    typeof value === "string" ? escapeText(value) : value,
  );
}

function insertInto({ table, columns }: MovedTable) {
  const names = columns.join(", ");
  return statement(
    `move_into_${table}`,
    `INSERT INTO ${table} (${names}) OVERRIDING SYSTEM VALUE
     SELECT ${names} FROM json_populate_recordset(NULL::${table}, $1::json)`,
  );
}

interface Compared {
  readonly source: DatabaseSync;
  readonly database: MoveTarget["database"];
  readonly droppedPartials: ReadonlySet<string>;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Compares every row of every table on both sides.
 * @returns the differences, a line for each table; nothing if all are the same
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
