import { PostgresDatabase } from "../../../../relay/storage/postgres/postgres-database.ts";

// A process that opens a database, says how it went, and ends.
const [url = ""] = process.argv.slice(2);
try {
  await using database = await PostgresDatabase.open({ url, max: 2, onTrouble: () => {} });
  await database.upkeep.read();
  process.stdout.write("opened");
} catch (error) {
  process.stdout.write(String(error));
}
