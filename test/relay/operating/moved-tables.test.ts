import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { columnsOf } from "../../../relay/operating/export-device.ts";
import { MOVED_TABLES, NOT_MOVED } from "../../../relay/operating/moving/moved-tables.ts";
import { stoppedRelay } from "../stopped-relay.ts";

/** Columns that the new database counts again from the packages that have moved. */
const COUNTED = ["devices.waiting_packages", "devices.stored_bytes", "devices.reserved_bytes"];

test("[SC21] each table of a data folder moves, or says why it doesn't", async () => {
  await using own = await stoppedRelay(["bass.wav"]);
  using database = new DatabaseSync(join(own.data, "relay.sqlite"), { readOnly: true });
  const tables = database
    .prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
    .all()
    .map(({ name }) => String(name));
  const known = new Set([...MOVED_TABLES.map(({ table }) => table), ...Object.keys(NOT_MOVED)]);
  expect(tables.toSorted()).toEqual([...known].toSorted());
});

test("[SC21] each column of a table that moves, moves with it", async () => {
  await using own = await stoppedRelay(["bass.wav"]);
  using database = new DatabaseSync(join(own.data, "relay.sqlite"), { readOnly: true });
  const left = MOVED_TABLES.flatMap(({ table, columns }) =>
    columnsOf(database, table)
      .filter((column) => !columns.includes(column))
      .map((column) => `${table}.${column}`),
  );
  expect(left.toSorted()).toEqual(COUNTED.toSorted());
});
