import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { POSTGRES, SQLITE } from "../../../../relay/storage/records/dialect.ts";
import {
  allStatements,
  ask,
  askAll,
  notify,
  runLater,
  runNow,
  statement,
  type Step,
  tell,
  valuesOf,
  type Work,
} from "../../../../relay/storage/records/statement.ts";
import { StatementRunner } from "../../../../relay/storage/sqlite/statement-runner.ts";
import { plainStatement } from "./plain-statement.ts";

const compiled = (text: string, dialect: "sqlite" | "postgres") =>
  plainStatement("one", text)().statement.compiled(dialect);

test("each parameter gets one number, in the order in which it first appears", () => {
  const text = "SELECT :b, :a_2 WHERE :b < :c AND x = 'a:b'";
  const names = ["b", "a_2", "c"];
  expect(compiled(text, "sqlite")).toEqual({
    text: "SELECT ?1, ?2 WHERE ?1 < ?3 AND x = 'a:b'",
    names,
  });
  expect(compiled(text, "postgres")).toEqual({
    text: "SELECT $1, $2 WHERE $1 < $3 AND x = 'a:b'",
    names,
  });
});

test("a cast is no parameter", () => {
  expect(compiled("SELECT :keys::text[], now()::text", "postgres")).toEqual({
    text: "SELECT $1::text[], now()::text",
    names: ["keys"],
  });
});

test("a statement is written for its database", () => {
  const { statement: casting } = plainStatement("one", (sql) => `SELECT 1 AS ${sql.flag}`)();
  expect(casting.compiled("sqlite").text).toBe(`SELECT 1 AS ${SQLITE.flag}`);
  expect(casting.compiled("postgres").text).toBe(`SELECT 1 AS ${POSTGRES.flag}`);
});

test("lists and locks are written as each database has them", () => {
  const text = "SELECT 1 WHERE key IN (:...keys) FOR NO KEY UPDATE SKIP LOCKED";
  const names = ["keys"];
  expect(compiled(text, "sqlite")).toEqual({
    text: "SELECT 1 WHERE key IN (SELECT value FROM json_each(?1)) ",
    names,
  });
  expect(compiled(text, "postgres")).toEqual({
    text: "SELECT 1 WHERE key = ANY($1::text[]) FOR NO KEY UPDATE SKIP LOCKED",
    names,
  });
});

test("values come in the order of the parameters, and a missing one names its statement", () => {
  const bind = plainStatement("find_nothing", "SELECT :one, :two");
  expect(valuesOf(bind({ two: null, one: 1 }), ["one", "two"])).toEqual([1, null]);
  const message = "find_nothing has no value for :two.";
  expect(() => valuesOf(bind({ one: 1 }), ["one", "two"])).toThrow(message);
  using database = new DatabaseSync(":memory:");
  expect(() => new StatementRunner(database).rows(bind({ one: 1 }))).toThrow(message);
});

test("two statements can't have one name", () => {
  const [first] = allStatements();
  expect(() => statement(first?.name ?? "", "SELECT 1")).toThrow(
    `Two statements have the name ${first?.name}.`,
  );
});

const ONE = plainStatement<{ readonly value: number }>("one", "SELECT 1");
const TWO = plainStatement<{ readonly value: number }>("two", "SELECT 2");

function* sumOfThree(): Work<number> {
  const [first, second] = yield* askAll(ONE(), TWO());
  const [third] = yield* ask(TWO());
  yield* tell();
  yield* notify();
  return [...first, ...second, third].reduce((sum, row) => sum + (row?.value ?? 0), 0);
}

/** Answers each statement by the number that its name says. */
function answer(step: Step): readonly (readonly unknown[])[] {
  if (step.kind !== "ask") throw new Error(`Nothing to ${step.kind} is no step.`);
  return step.statements.map(({ statement: { name } }) => [{ value: name === "one" ? 1 : 2 }]);
}

test("a read gets the rows of what it asks, at once or later", async () => {
  expect(runNow(sumOfThree(), answer)).toBe(5);
  expect(await runLater(sumOfThree(), async (step) => answer(step))).toBe(5);
});

test("a read that fails later rejects with its error", async () => {
  const failing = runLater(sumOfThree(), () => Promise.reject(new Error("gone")));
  await expect(failing).rejects.toThrow("gone");
});

test("SQLite leaves out what only PostgreSQL needs, and answers it with no rows", () => {
  using database = new DatabaseSync(":memory:");
  const only = plainStatement("of_postgres_alone", "SELECT pg_backend_pid()", "postgres");
  function* both(): Work<number> {
    yield* tell(only());
    return (yield* ask(only())).length;
  }
  expect(new StatementRunner(database).run(both())).toBe(0);
});
