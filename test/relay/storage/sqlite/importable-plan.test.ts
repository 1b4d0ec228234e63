import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { importablePages } from "../../../../relay/storage/sqlite/importable-pages.ts";
import { applyMigrations } from "../../../../relay/storage/sqlite/schema-version.ts";

test("[I5] every statement of a page reaches its rows by an index, and none sorts what it doesn't return", () => {
  using database = new DatabaseSync(":memory:");
  applyMigrations(database);
  const statements: string[] = [];
  const prepare = database.prepare.bind(database);
  database.prepare = (sql: string) => {
    statements.push(sql);
    return prepare(sql);
  };
  importablePages(database);
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
