import { createHash } from "node:crypto";
import { pagesOf } from "../../domain/upkeep/batches.ts";
import { COPIED_TABLES, type CopiedRow, placeOf, readRows } from "../../storage/records/copy.ts";
import { readNumbers } from "../../storage/records/copy-counts.ts";
import type { CopyState, Place } from "../../storage/records/copy-state.ts";
import type { Engine } from "../../storage/records/engine.ts";
import type { TableName } from "../../storage/records/tables.ts";
import { readUpkeep } from "../../storage/records/upkeep.ts";

export interface MovingRows {
  readonly from: Engine;
  readonly to: Engine;
  /** Keys of partials that aren't copied: their files are sent again. */
  readonly dropped: ReadonlySet<string>;
  readonly onRows: (count: number) => void;
  readonly signal?: AbortSignal | undefined;
}

/** The values of `upkeep` that a relay needs at its new place. Its instance is there first. */
const VALUES: ReadonlySet<string> = new Set(["has_served", "time", "was_time_reset"]);

/**
 * Copies the rows of all tables, and continues at the point that a copy has reached. Each batch is one transaction,
 * which also records that point.
 * @returns the state after that
 */
export async function moveRows(moving: MovingRows, begun: CopyState): Promise<CopyState> {
  let state = begun;
  for (const table of COPIED_TABLES.slice(COPIED_TABLES.findIndex((name) => name === begun.at))) {
    const after = table === begun.at ? begun.after : undefined;
    for await (const rows of batchesOf(moving.from, table, after)) {
      moving.signal?.throwIfAborted();
      const last = rows.at(-1);
      const next = { id: begun.id, at: table, ...(last && { after: placeOf(table, last) }) };
      const copied = rows.filter((row) => !isDropped(moving, table, row));
      const change = { table, rows: copied, state, next };
      if (!(await moving.to.change("copyRows", change))) throw notAlone();
      state = next;
      moving.onRows(rows.length);
    }
  }
  return state;
}

/** Ends a copy. From then on, nothing more is written. */
export async function finishRows({ from, to }: MovingRows, state: CopyState): Promise<void> {
  const found = await from.readSlowly(readUpkeep());
  const values = Object.fromEntries([...found].filter(([name]) => VALUES.has(name)));
  const numbers = await from.readSlowly(readNumbers());
  const end = { state, next: { id: state.id, at: "done" }, values, numbers } as const;
  if (!(await to.change("finishCopy", end))) throw notAlone();
}

function notAlone(): Error {
  return new Error("Another program moves the same relay. Let it finish.");
}

/**
 * Reads every row of every table at both places.
 * @returns the differences, a line for each table; nothing if all are the same
 */
export async function compareRows(moving: MovingRows): Promise<readonly string[]> {
  const differences: string[] = [];
  for (const table of COPIED_TABLES) {
    const here = await sumUp(moving, moving.from, table);
    const there = await sumUp(moving, moving.to, table);
    if (here.sum === there.sum) continue;
    differences.push(`${table}: ${here.rows} rows here, ${there.rows} there, and not the same`);
  }
  return differences;
}

/**
 * Hashes the rows of a table. The sum doesn't depend on their order, because characters that PostgreSQL must store in
 * another form sort differently there.
 */
async function sumUp(moving: MovingRows, engine: Engine, table: TableName) {
  let [count, sum] = [0, 0n];
  for await (const rows of batchesOf(engine, table)) {
    moving.signal?.throwIfAborted();
    for (const row of rows) {
      if (isDropped(moving, table, row)) continue;
      count += Number(row["times"]);
      sum += hashOf(row);
    }
  }
  return { rows: count, sum: `${count} ${sum}` };
}

/** Hashes a row, without what is counted again at the end. */
function hashOf(row: CopiedRow): bigint {
  const values = Object.entries(row).filter(([name]) => name !== "partial_bytes");
  const hash = createHash("sha256").update(JSON.stringify(values));
  return BigInt(`0x${hash.digest("hex")}`);
}

/** Reads the rows of a table in batches, after a place. */
function batchesOf(engine: Engine, table: TableName, after?: Place) {
  return pagesOf<CopiedRow>((last) =>
    engine.readSlowly(readRows(table, last === undefined ? after : placeOf(table, last))),
  );
}

/** Checks whether a row belongs to a partial that isn't copied. */
function isDropped({ dropped }: MovingRows, table: TableName, row: CopiedRow): boolean {
  return (table === "partials" || table === "sound_keys") && dropped.has(String(row["key"]));
}
