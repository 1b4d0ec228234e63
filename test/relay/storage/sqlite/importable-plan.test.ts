import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { applyMigrations } from "../../../../relay/storage/sqlite/migrations.ts";
import { importablePages } from "../../../../relay/storage/sqlite/package-pages.ts";
import { RecordCache } from "../../../../relay/storage/sqlite/record-cache.ts";
import { recordsOver } from "../../../../relay/storage/sqlite/records-over.ts";
import { storeUpkeep } from "../../../../relay/storage/sqlite/upkeep.ts";
import { allWrites, type Write } from "../../../../relay/storage/sqlite/writes.ts";

/** Returns the statements that a part of the store prepares. */
function statementsOf(database: DatabaseSync, open: (database: DatabaseSync) => unknown): string[] {
  const statements: string[] = [];
  const prepare = database.prepare.bind(database);
  database.prepare = (sql: string) => {
    statements.push(sql);
    return prepare(sql);
  };
  open(database);
  return statements;
}

test("[I5] every statement of a page reaches its rows by an index, and none sorts what it doesn't return", () => {
  using database = new DatabaseSync(":memory:");
  applyMigrations(database);
  const prepare = database.prepare.bind(database);
  const statements = statementsOf(database, importablePages);
  const steps = statements.flatMap((sql) =>
    prepare(`EXPLAIN QUERY PLAN ${sql}`)
      .all()
      .map(({ detail }) => String(detail)),
  );
  expect(steps.filter((step) => /^SEARCH|^SCAN (?!\(subquery)/u.test(step))).toEqual([
    expect.stringMatching(/^SEARCH packages USING INDEX packages_waiting \(device_id=\? .*<\?\)$/),
    expect.stringMatching(/^SEARCH first_reports USING .*_of_device \(device_id=\? AND seq>\?\)$/),
    expect.stringMatching(/^SEARCH packages USING INDEX sqlite_autoindex_.* \(package_id=\?\)$/),
    expect.stringMatching(/^SEARCH packages USING INDEX packages_reported \(device_id=\? .*<\?\)$/),
    expect.stringMatching(/^SEARCH first_reports USING .* \(package_id=\?\)$/),
    expect.stringMatching(/^SEARCH first_reports USING .*_of_device \(device_id=\?\)$/),
  ]);
});

test("[I5] no statement is compiled again for the limit that it gets", () => {
  using database = new DatabaseSync(":memory:");
  applyMigrations(database);
  const write: Write = () => Promise.reject(new Error("Nothing is written."));
  const statements = statementsOf(database, () => {
    allWrites(database);
    recordsOver({ reading: database, write, cache: new RecordCache() });
    storeUpkeep(database, write);
  });
  expect(statements.filter((sql) => sql.includes("LIMIT +"))).not.toEqual([]);
  expect(statements.filter((sql) => /LIMIT\s*[?:]/u.test(sql))).toEqual([]);
});
