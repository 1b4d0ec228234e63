import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { applyMigrations } from "../../../../relay/storage/sqlite/migrations.ts";
import { insertWrite } from "../../../../relay/storage/sqlite/package-writes.ts";

/** The SQL of each statement that an insert may run, its triggers' included. */
function statementsOfInsert(database: DatabaseSync): readonly string[] {
  const prepared: string[] = [];
  const prepare = database.prepare.bind(database);
  database.prepare = (sql: string) => {
    prepared.push(sql);
    return prepare(sql);
  };
  insertWrite(database);
  database.prepare = prepare;
  return [...prepared, ...statementsOfTriggers(database)];
}

/** What the triggers on new and changed packages do; those on removed, reported, deleted and uploaded ones are no part of an insert. */
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

function planOf(database: DatabaseSync, sql: string): readonly string[] {
  const steps = database.prepare(`EXPLAIN QUERY PLAN ${sql}`).all();
  return steps.map(({ detail }) => String(detail));
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
