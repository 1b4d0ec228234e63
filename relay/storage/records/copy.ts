import { change } from "./change.ts";
import {
  advance,
  type CopyState,
  type CopyStep,
  isAt,
  keepState,
  type Place,
} from "./copy-state.ts";
import { clearCounts, countAgain, type LastNumber } from "./copy-counts.ts";
import { ask, statement, tell, type Work } from "./statement.ts";
import { keyOf } from "./schema.ts";
import { allTables, columnNames, type TableName, TABLES } from "./tables.ts";
import { keepUpkeep } from "./upkeep.ts";

/** A row as it is copied. `times` says how many such rows there are in a table without a key. */
export type CopiedRow = Readonly<Record<string, string | number | null>>;

/** The tables whose rows are copied, in an order in which each row finds the rows that it refers to. */
export const COPIED_TABLES: readonly TableName[] = allTables()
  .filter(([, { notCopied }]) => notCopied === undefined)
  .map(([name]) => name);

/** Conditions of the rows that are copied. Nobody can continue the other keys; their bytes aren't copied either. */
const CONDITIONS: Partial<Record<TableName, string>> = {
  sound_keys: "state = 'pending' AND key IN (SELECT key FROM partials)",
};

/** Number of rows at once. A manifest may be large. */
const ROWS = 500;
const MANIFESTS = 20;

const STATEMENTS = new Map(COPIED_TABLES.map((name) => [name, statementsOf(name)]));

function statementsOf(name: TableName) {
  const columns = columnNames(name);
  const hasKey = keyOf(name).length > 0;
  const order = orderOf(name);
  const condition = CONDITIONS[name] ?? "true";
  const values = columns.map((column) => `:${column}`).join(", ");
  return {
    read: statement<CopiedRow>(
      `copy_read_${name}`,
      `SELECT ${columns.join(", ")}, ${hasKey ? "1" : "count(*)"} AS times FROM ${name}
       WHERE ${condition} AND (${order.join(", ")}) > (${order.map((column) => `:${column}`).join(", ")})
       ${hasKey ? "" : `GROUP BY ${columns.join(", ")}`} ORDER BY ${order.join(", ")} LIMIT 0 + :limit`,
    ),
    insert: statement(
      `copy_insert_${name}`,
      (sql) => `INSERT INTO ${name} (${columns.join(", ")}) ${sql.givenNumbers} VALUES (${values})`,
    ),
    clear: statement(`copy_clear_${name}`, `DELETE FROM ${name}`),
  };
}

/** Columns that a table is ordered by. Without a key, equal rows count as one. */
function orderOf(name: TableName): readonly string[] {
  const key = keyOf(name);
  return key.length > 0 ? key : columnNames(name);
}

const COUNTS = statement<{ readonly name: TableName; readonly n: number }>(
  "copy_counts",
  COPIED_TABLES.map(
    (name) =>
      `SELECT '${name}' AS name, count(*) AS n FROM ${name} WHERE ${CONDITIONS[name] ?? "true"}`,
  ).join(" UNION ALL "),
);

/** Counts the rows that are copied, by table. */
export function* countRows(): Work<ReadonlyMap<TableName, number>> {
  return new Map((yield* ask(COUNTS())).map(({ name, n }) => [name, n]));
}

/** Reads the next rows of a table. @param after place of the last row before; undefined for the first ones */
export function* readRows(table: TableName, after?: Place): Work<readonly CopiedRow[]> {
  const order = orderOf(table);
  const place = after ?? order.map((column) => (isText(table, column) ? "" : -1));
  const values = Object.fromEntries(order.map((column, index) => [column, place[index] ?? ""]));
  const limit = table === "manifests" ? MANIFESTS : ROWS;
  return yield* ask(found(table).read({ ...values, limit }));
}

/** Returns the place of a row. */
export function placeOf(table: TableName, row: CopiedRow): Place {
  return orderOf(table).map((column) => row[column] ?? "");
}

function isText(table: TableName, column: string): boolean {
  const columns: Readonly<Record<string, string>> = TABLES[table].columns;
  return columns[column]?.startsWith("text") === true;
}

function found(table: TableName) {
  const statements = STATEMENTS.get(table);
  if (statements === undefined) throw new Error(`${table} isn't copied.`);
  return statements;
}

/** Rows of one table. */
export interface CopiedRows extends CopyStep {
  readonly table: TableName;
  readonly rows: readonly CopiedRow[];
}

/** The end of a copy. */
export interface CopyEnd extends CopyStep {
  /** Values of `upkeep` that the relay needs. */
  readonly values: Readonly<Record<string, string>>;
  readonly numbers: readonly LastNumber[];
}

export const COPY_CHANGES = {
  /** Claims an empty database for a copy, or clears it from an earlier one. */
  beginCopy: change(
    function* ({ state, instanceId }: { state: CopyState; instanceId: string }): Work<void> {
      yield* clearCounts();
      yield* tell(...COPIED_TABLES.toReversed().map((table) => found(table).clear()));
      yield* keepState(instanceId, state);
    },
    { isSlow: true, ifUnknown: "repeat", writes: "packages" },
  ),
  /** Inserts rows. Returns false, and inserts nothing, if another program copies too. */
  copyRows: change(
    function* ({ table, rows, ...step }: CopiedRows): Work<boolean> {
      if (!(yield* advance(step))) return false;
      const { insert } = found(table);
      const all = rows.flatMap(({ times, ...row }) =>
        Array.from({ length: Number(times) }, () => insert(row)),
      );
      yield* tell(...all);
      return true;
    },
    { isSlow: true, ifUnknown: ({ next }) => isAt(next), writes: "packages" },
  ),
  /** Counts what quotas compare, and continues the numbers. Returns false if another program copies too. */
  finishCopy: change(
    function* ({ values, numbers, ...step }: CopyEnd): Work<boolean> {
      if (!(yield* advance(step))) return false;
      yield* countAgain(numbers);
      yield* keepUpkeep(values);
      return true;
    },
    { isSlow: true, ifUnknown: ({ next }) => isAt(next), writes: "packages" },
  ),
};
