import { expect, onTestFinished, test } from "vitest";
import { readTarget } from "../../../../relay/storage/records/copy-state.ts";
import { countRows } from "../../../../relay/storage/records/copy.ts";
import { listNamedPartials } from "../../../../relay/storage/records/named-partials.ts";
import { migratedDatabase, openPostgres } from "../postgres/open-postgres.ts";
import { neverSent } from "./every-statement.ts";
import { noteStatements } from "./noted-statements.ts";
import { plainStatement } from "./plain-statement.ts";
import { copyAll, dump, fill, sqliteOfTest } from "./copied-database.ts";

async function postgresOfTest() {
  const database = await migratedDatabase();
  onTestFinished(() => database[Symbol.asyncDispose]());
  const opened = await openPostgres(database.url);
  onTestFinished(() => opened[Symbol.asyncDispose]());
  return opened;
}

const sent = noteStatements();

test("[SC21] every value of every row is the same after a copy to PostgreSQL and back", async () => {
  const [here, there, again] = [await sqliteOfTest(), await postgresOfTest(), await sqliteOfTest()];
  const straight = await sqliteOfTest();
  fill(here.raw, 1203);
  expect(await copyAll(here.engine, straight.engine)).toEqual([]);
  expect(await copyAll(here.engine, there.engine)).toEqual([]);
  expect(await copyAll(there.engine, again.engine)).toEqual([]);
  expect(dump(again.raw)).toEqual(dump(straight.raw));
});

const INSERT = plainStatement<{ readonly seq: number }>(
  "test_log",
  "INSERT INTO operator_log (at, who, action, subject) VALUES (1, 'a', 'b', 'c') RETURNING seq",
);

test("[SC21] numbers continue in PostgreSQL, and back", async () => {
  const [here, there, again] = [await sqliteOfTest(), await postgresOfTest(), await sqliteOfTest()];
  fill(here.raw, 3);
  here.raw.exec("DELETE FROM operator_log");
  await copyAll(here.engine, there.engine);
  const [first] = await there.connections.write(INSERT());
  expect(first).toEqual({ seq: 8 });
  await copyAll(there.engine, again.engine);
  again.raw.exec("DELETE FROM operator_log");
  expect(again.raw.prepare(INSERT().statement.compiled("sqlite").text).get()).toEqual({ seq: 9 });
});

test("[SC21] both databases say the same of a copy and of what it copies", async () => {
  const [here, there] = [await sqliteOfTest(), await postgresOfTest()];
  fill(here.raw, 5);
  await copyAll(here.engine, there.engine);
  const partials = { after: undefined, limit: 3 };
  const listed = await there.engine.read(listNamedPartials(partials));
  expect(listed.map(({ storedBytes }) => storedBytes)).toEqual([0, 1, 2]);
  expect(await here.engine.read(listNamedPartials(partials))).toEqual(listed);
  const done = { instanceId: "ins_1", state: { id: "one", at: "done" }, isUsed: true };
  expect(await there.engine.read(readTarget())).toEqual(done);
  expect(await here.engine.read(readTarget())).toMatchObject({ state: undefined, isUsed: true });
  expect(await there.engine.read(countRows())).toEqual(await here.engine.read(countRows()));
});

test("copies there and back send every statement of copying to both databases", async () => {
  sent[Symbol.dispose]();
  expect(await neverSent("copying", sent.sqlite)).toEqual([]);
  expect(await neverSent("copying", sent.postgres)).toEqual([]);
});
