import { join } from "node:path";
import { DatabaseSync, type SQLInputValue } from "node:sqlite";
import { onTestFinished } from "vitest";
import { compareRows, finishRows, moveRows } from "../../../../relay/operating/moving/move-rows.ts";
import { COPIED_TABLES } from "../../../../relay/storage/records/copy.ts";
import type { CopyState } from "../../../../relay/storage/records/copy-state.ts";
import type { Engine } from "../../../../relay/storage/records/engine.ts";
import { columnNames, type TableName, TABLES } from "../../../../relay/storage/records/tables.ts";
import { SqliteDatabase } from "../../../../relay/storage/sqlite/sqlite-database.ts";
import { startWriterInside } from "../../writer-inside.ts";
import { temporaryFolder } from "../sqlite/open-sqlite.ts";

/** Characters that PostgreSQL's text can't hold as they are, and some that it can. */
const HARD = "\u0000\u001b1\u001b0\\u0000 ö\u{1F941}'\"";

/** An SQLite database of the test, and a connection for what no relay does. */
export async function sqliteOfTest() {
  const folder = await temporaryFolder();
  onTestFinished(() => folder[Symbol.asyncDispose]());
  const database = await SqliteDatabase.open(folder.path, { startWriter: startWriterInside });
  onTestFinished(() => database[Symbol.asyncDispose]());
  const raw = new DatabaseSync(join(folder.path, "relay.sqlite"));
  onTestFinished(() => raw.close());
  return { engine: database.engine, raw };
}

/** Puts some rows into every table that is copied. */
export function fill(raw: DatabaseSync, rows: number): void {
  for (const table of COPIED_TABLES) {
    const columns = columnNames(table);
    const insert = raw.prepare(
      `INSERT INTO ${table} (${columns.join(", ")}) VALUES (${columns.map(() => "?").join(", ")})`,
    );
    for (let index = 0; index < rows; index += 1) {
      insert.run(...columns.map((column) => valueOf(table, column, index)));
    }
  }
}

/** Values with a meaning of their own. The others are any text or number. */
const VALUES: Readonly<Record<string, (index: number) => SQLInputValue>> = {
  device_id: (index) => `dev_${index}`,
  package_id: (index) => `pkg_${index}`,
  pairing_id: (index) => `pair_${index}`,
  key: (index) => `pkg_${index}/one`,
  "app_tokens.token_hash": (index) => `hash ${index}`,
  "repeatable_claims.token_hash": (index) => `hash ${index}`,
  "announcements.device_id": (index) => `dev_${index % 7}`,
  "announcements.app_id": (index) => `app ${index % 3} ${HARD}`,
  "announcements.at": (index) => index % 11,
  "sound_keys.state": () => "pending",
  "sound_keys.writer": () => null,
  "blocks.kind": () => "address",
  outcome: (index) => (index % 2 === 0 ? null : "imported"),
  counts: (index) => (index % 5 === 0 ? 0 : 1),
  uploaded: () => "[]",
  manifest: (index) => JSON.stringify({ items: [], title: `${index} ${HARD}` }),
  room_tiers: (index) => JSON.stringify([`192.0.2.${index % 3}`, "192.0.2.0/24"]),
  room_held_until: (index) => (index % 3) * 1000,
  // The partials of each package have so many bytes.
  partial_bytes: (index) => index,
  stored_bytes: (index) => index,
};

function valueOf(table: TableName, column: string, index: number): SQLInputValue {
  const given = VALUES[`${table}.${column}`] ?? VALUES[column];
  if (given !== undefined) return given(index);
  const columns: Readonly<Record<string, string>> = TABLES[table].columns;
  const type = columns[column] ?? "";
  if (type.startsWith("text")) return `${column} ${index} ${HARD}`;
  if (type.startsWith("flag")) return index % 2;
  // Some numbers are gone.
  return type.startsWith("numbered") ? 3 * index + 1 : 1_700_000_000_000 + index;
}

/** The rows of every table that is copied, and of what is counted from them. */
export function dump(raw: DatabaseSync): Record<string, readonly unknown[]> {
  const names = [...COPIED_TABLES, "device_locks", "app_counts", "room_counts"] as const;
  return Object.fromEntries(
    names.map((table) => {
      const columns = columnNames(table).join(", ");
      return [table, raw.prepare(`SELECT ${columns} FROM ${table} ORDER BY ${columns}`).all()];
    }),
  );
}

/** Copies all rows. Returns the differences that a comparison finds. */
export async function copyAll(from: Engine, to: Engine): Promise<readonly string[]> {
  const state = await begin(to);
  const moving = { from, to, dropped: new Set<string>(), onRows: () => {} };
  const last = await moveRows(moving, state);
  const differences = await compareRows(moving);
  await finishRows(moving, last);
  return differences;
}

export async function begin(to: Engine): Promise<CopyState> {
  const state: CopyState = { id: "one", at: COPIED_TABLES[0] ?? "done" };
  await to.change("beginCopy", { state, instanceId: "ins_1" });
  return state;
}
