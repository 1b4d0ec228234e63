import { test } from "vitest";
import { runIn } from "../../notify/notifying-postgres.ts";
import { expectForgotten, LOGGED } from "../operator-log.ts";
import { migratedDatabase, openPostgres } from "./open-postgres.ts";

test("[AD2] PostgreSQL forgets the log of an operator's actions after a year", async () => {
  await using database = await migratedDatabase();
  await using records = await openPostgres(database.url);
  await runIn(database.url, LOGGED.fill);
  await expectForgotten(records.packages, () => runIn(database.url, LOGGED.read));
});
