import { expect, test } from "vitest";
import { runIn } from "../../notify/notifying-postgres.ts";
import { migratedDatabase } from "../postgres/open-postgres.ts";
import { columnsIn, DESCRIBED } from "./table-columns.ts";

/** The tables by which processes know of each other, the one of rate limits, and the one of migrations. */
const OF_POSTGRES = [
  "limit_counters",
  "outbox",
  "partial_turns",
  "processes",
  "soundferry_migrations",
];

test("PostgreSQL has the described tables and columns, and its own tables", async () => {
  await using database = await migratedDatabase();
  const rows = await runIn<object>(
    database.url,
    `SELECT table_name, column_name FROM information_schema.columns
     WHERE table_schema = current_schema()`,
  );
  const found = columnsIn(rows);
  expect(found).toMatchObject(DESCRIBED);
  const own = Object.keys(found).filter((table) => !(table in DESCRIBED));
  expect(own.toSorted()).toEqual(OF_POSTGRES);
});
