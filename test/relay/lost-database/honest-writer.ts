import { DatabaseSync } from "node:sqlite";

// A process of its own that works on a database in every way that SQLite allows, until its parent disconnects.

const [path = ""] = process.argv.slice(2);
const MERGES = ["PASSIVE", "FULL", "RESTART", "TRUNCATE"];
let round = 0;

function work(): void {
  if (!process.connected) return;
  round += 1;
  try {
    using database = new DatabaseSync(path, { timeout: 50 });
    const keep =
      "INSERT INTO upkeep (name, value) VALUES ('honest', ?) ON CONFLICT DO UPDATE SET value = excluded.value";
    database.prepare(keep).run("x".repeat(round % 50_000));
    database.exec(`PRAGMA wal_checkpoint(${MERGES[round % MERGES.length]})`);
    if (round % 20 === 0) database.exec("VACUUM");
  } catch (error) {
    // The relay holds the lock now and then.
    if (!(error instanceof Error && "errcode" in error && error.errcode === 5)) throw error;
  }
  setImmediate(work);
}
process.send?.("working");
work();
