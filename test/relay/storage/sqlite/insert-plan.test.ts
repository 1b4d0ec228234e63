import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { insertWrite } from "../../../../relay/storage/sqlite/package-writes.ts";
import { MIGRATIONS } from "../../../../relay/storage/sqlite/schema.ts";

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

/** What the triggers on new and changed packages do; those on removed ones are no part of an insert. */
function statementsOfTriggers(database: DatabaseSync): readonly string[] {
  const triggers = database
    .prepare("SELECT sql FROM sqlite_schema WHERE type = 'trigger' AND tbl_name = 'packages'")
    .all()
    .map(({ sql }) => String(sql))
    .filter((sql) => !sql.includes("AFTER DELETE"));
  expect(triggers).toHaveLength(3);
  return triggers.flatMap((sql) => {
    const body = sql.slice(sql.indexOf("BEGIN") + "BEGIN".length, sql.lastIndexOf("END"));
    const statements = body.replaceAll(/\b(?:NEW|OLD)\.\w+/gu, "?").split(";");
    return statements.map((each) => each.trim()).filter((each) => each !== "");
  });
}

test("[J4] every statement of an announcement reaches its rows by an index, and none adds up or sorts", () => {
  using database = new DatabaseSync(":memory:");
  for (const step of MIGRATIONS) database.exec(step);
  const statements = statementsOfInsert(database);
  expect(statements.length).toBeGreaterThan(15);
  for (const sql of statements) {
    const steps = database.prepare(`EXPLAIN QUERY PLAN ${sql}`).all();
    for (const { detail } of steps) expect(detail, sql).toMatch(/^SEARCH \w+ USING .*\(.+\)$/u);
    expect(sql).not.toMatch(/\b(?:count|sum|total|avg|min|max|group_concat)\s*\(|\bGROUP BY\b/iu);
  }
});
