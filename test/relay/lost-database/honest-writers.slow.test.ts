import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { databasePathIn } from "../../../relay/storage/sqlite/open-database.ts";
import { SqliteDatabase } from "../../../relay/storage/sqlite/sqlite-database.ts";
import { T0 } from "../../contracts/relay/records/sample-records.ts";
import { temporaryFolder } from "../storage/sqlite/open-sqlite.ts";

const CALLERS = 8;
const CHANGES = 4000;

test("[Z8][J7] other processes may write, merge and vacuum the database, and the relay goes on", async () => {
  await using folder = await temporaryFolder();
  const path = databasePathIn(folder.path);
  await using records = await SqliteDatabase.open(folder.path);
  const others = [1, 2].map(() => fork(join(import.meta.dirname, "honest-writer.ts"), [path]));
  await Promise.all(others.map((other) => once(other, "message")));

  let next = 0;
  const callers = Array.from({ length: CALLERS }, async () => {
    while (next < CHANGES) await records.soundKeys.addPending(`pkg_1/${(next += 1)}`, T0);
  });
  await Promise.all(callers);
  expect(records.broken.aborted).toBe(false);
  for (const other of others) {
    const ended = once(other, "exit");
    other.disconnect();
    expect(await ended).toEqual([0, null]);
  }
  using database = new DatabaseSync(path);
  const { count } = { ...database.prepare("SELECT count(*) AS count FROM sound_keys").get() };
  expect(count).toBe(next);
  expect(database.prepare("PRAGMA integrity_check").get()).toEqual({ integrity_check: "ok" });
});
