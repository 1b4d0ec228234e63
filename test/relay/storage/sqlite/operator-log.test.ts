import { DatabaseSync } from "node:sqlite";
import { test } from "vitest";
import { databasePathIn } from "../../../../relay/storage/sqlite/open-database.ts";
import { expectForgotten, LOGGED } from "../operator-log.ts";
import { openSqlite } from "./open-sqlite.ts";

test("[AD2] SQLite forgets the log of an operator's actions after a year", async () => {
  await using records = await openSqlite();
  using beside = new DatabaseSync(databasePathIn(records.folder));
  beside.exec(LOGGED.fill);
  const logged = beside.prepare(LOGGED.read);
  await expectForgotten(records.packages, async () => logged.all());
});
