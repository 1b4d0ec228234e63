import { readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { columnsOf, tablesOf } from "../../relay/operating/export-device.ts";
import { applyMigrations } from "../../relay/storage/sqlite/migrations.ts";

const PAGE = readFileSync(join(import.meta.dirname, "../../docs/operate/privacy.md"), "utf8");

/** `table.column` of every row of the page's table about the database. */
function named(): readonly string[] {
  const [, section = ""] = /^## The database$(.*?)^## /ms.exec(PAGE) ?? [];
  return [...section.matchAll(/^\| `(\w+)` \| ([^|]+) \| [^|]+ \| [^|]+ \|$/gm)].flatMap(
    ([, table = "", columns = ""]) =>
      [...columns.matchAll(/`(\w+)`/g)].map(([, column = ""]) => `${table}.${column}`),
  );
}

test("[AD11] docs/operate/privacy.md names every column of the database once, and no other", () => {
  using database = new DatabaseSync(":memory:");
  applyMigrations(database);
  const stored = tablesOf(database).flatMap((table) =>
    columnsOf(database, table).map((column) => `${table}.${column}`),
  );
  expect(named().toSorted()).toEqual(stored.toSorted());
});
