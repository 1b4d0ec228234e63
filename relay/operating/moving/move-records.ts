import type { DatabaseSync } from "node:sqlite";
import { escapeText } from "../../storage/postgres/escape-text.ts";
import { statement } from "../../storage/postgres/statement.ts";
import { type Row, text } from "../../storage/rows.ts";
import { advance, keepUpkeep, type MoveState, type MoveTarget } from "./move-target.ts";
import { MOVED_TABLES, type MovedTable } from "./moved-tables.ts";
import { rowBatches } from "./source-rows.ts";

export interface MovingRecords {
  readonly source: DatabaseSync;
  readonly database: MoveTarget["database"];
  /** Partials that don't move: their files are sent again. */
  readonly droppedPartials: ReadonlySet<string>;
  readonly onRows: (count: number) => void;
  readonly signal?: AbortSignal | undefined;
}

/** One batch may carry some large manifests. */
const STATEMENT_MS = 60_000;

/**
 * Copies the rows of all tables from where a move has come to. Each batch is one transaction, which also says how far
 * it came.
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

/** What of `upkeep` the relay needs there. */
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

/** Whether a row is of a partial that doesn't move. */
export function isDropped({ table }: MovedTable, row: Row, dropped: ReadonlySet<string>): boolean {
  return (table === "partials" || table === "sound_keys") && dropped.has(text(row["key"]));
}

/** Rows for `json_populate_recordset`. */
export function jsonOf(rows: readonly Row[]): string {
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
