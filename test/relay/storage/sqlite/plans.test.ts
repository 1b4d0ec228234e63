import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { applyMigrations } from "../../../../relay/storage/sqlite/migrations.ts";
import { importablePages } from "../../../../relay/storage/sqlite/package-pages.ts";
import { insertWrite } from "../../../../relay/storage/sqlite/package-writes.ts";
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
  database.prepare = prepare;
  return statements;
}

function planOf(database: DatabaseSync, sql: string): readonly string[] {
  const steps = database.prepare(`EXPLAIN QUERY PLAN ${sql}`).all();
  return steps.map(({ detail }) => String(detail));
}

test("[I5] every statement of a page reaches its rows by an index, and none sorts what it doesn't return", () => {
  using database = new DatabaseSync(":memory:");
  applyMigrations(database);
  const steps = statementsOf(database, importablePages).flatMap((sql) => planOf(database, sql));
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

/** The SQL of each statement that an insert may run, its triggers' included. */
function statementsOfInsert(database: DatabaseSync): readonly string[] {
  return [...statementsOf(database, insertWrite), ...statementsOfTriggers(database)];
}

/**
 * Returns the SQL of the triggers on new and changed packages. Those on removed, reported, deleted and uploaded ones
 * are no part of an insert.
 */
function statementsOfTriggers(database: DatabaseSync): readonly string[] {
  const triggers = database
    .prepare("SELECT sql FROM sqlite_schema WHERE type = 'trigger' AND tbl_name = 'packages'")
    .all()
    .map(({ sql }) => String(sql))
    .filter((sql) => !/AFTER (?:DELETE|UPDATE OF (?:outcome|files_deleted|uploaded) )/u.test(sql));
  expect(triggers).toHaveLength(7);
  return triggers.flatMap((sql) => {
    const body = sql.slice(sql.indexOf("BEGIN") + "BEGIN".length, sql.lastIndexOf("END"));
    const statements = body.replaceAll(/\b(?:NEW|OLD)\.\w+/gu, "?").split(";");
    return statements.map((each) => each.trim()).filter((each) => each !== "");
  });
}

test("[J4] every statement of an announcement reaches its rows by an index, and none adds up or sorts", () => {
  using database = new DatabaseSync(":memory:");
  applyMigrations(database);
  const statements = statementsOfInsert(database);
  expect(statements.length).toBeGreaterThan(15);
  for (const sql of statements) {
    for (const step of planOf(database, sql)) {
      // The address and the networks of one package are a list of three at most.
      if (/^LIST SUBQUERY|^SCAN json_each /u.test(step)) continue;
      expect(step, sql).toMatch(/^SEARCH \w+ USING .*\(.+\)$/u);
    }
    expect(sql).not.toMatch(/\b(?:count|sum|total|avg|min|max|group_concat)\s*\(|\bGROUP BY\b/iu);
  }
});

test.each([
  { part: "SET counts = 0", range: "(counts=? AND files_end_at<?)" },
  { part: "SET counts = 1", range: "(counts=? AND files_end_at>?)" },
  { part: "room_held_until <= ?", range: "(room_held_until>? AND room_held_until<?)" },
  { part: "SET total = total", range: "(address=? AND at>?)" },
  { part: "total >= ?", range: "(address=? AND total>?)" },
])("[J4] the statement with $part reads only the rows of its range", ({ part, range }) => {
  using database = new DatabaseSync(":memory:");
  applyMigrations(database);
  const statements = statementsOfInsert(database).filter((sql) => sql.includes(part));
  expect(statements).toHaveLength(1);
  for (const sql of statements) {
    expect(planOf(database, sql)).toEqual([expect.stringContaining(range)]);
  }
});
