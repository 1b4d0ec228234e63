import { expect, test } from "vitest";
import { emptyInMemory } from "../../domain/sqlite-in-memory.ts";
import { columnsIn, DESCRIBED } from "./table-columns.ts";

test("SQLite has the described tables and columns, and its own table of removals", () => {
  using database = emptyInMemory();
  const rows = database.prepare(
    `SELECT tables.name AS of_table, columns.name
     FROM sqlite_schema AS tables, pragma_table_info(tables.name) AS columns
     WHERE tables.type = 'table' AND tables.name <> 'sqlite_sequence'`,
  );
  const { removals, ...both } = columnsIn(rows.all());
  expect(both).toEqual(DESCRIBED);
  expect(removals).toEqual(["at", "id", "kind", "seq"]);
});
