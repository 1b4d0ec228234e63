import {
  chmodSync,
  copyFileSync,
  linkSync,
  mkdirSync,
  readFileSync,
  rmSync,
  truncateSync,
} from "node:fs";
import { once } from "node:events";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, test } from "vitest";
import { StoreLostError } from "../../../../relay/domain/ports.ts";
import { DatabaseGuard } from "../../../../relay/storage/sqlite/database-guard.ts";
import {
  databasePathIn,
  openForWriting,
  requireSafety,
} from "../../../../relay/storage/sqlite/open-database.ts";
import { SqliteDatabase } from "../../../../relay/storage/sqlite/sqlite-database.ts";
import { register, T0 } from "../../../contracts/relay/records/sample-records.ts";
import { TAMPERINGS } from "../../lost-database/tamperings.ts";
import { temporaryFolder } from "./open-sqlite.ts";

/** A guarded database in a folder of its own, with an older copy of it beside the folder. */
async function openGuarded() {
  const outer = await temporaryFolder();
  const folder = join(outer.path, "data");
  const olderCopy = join(outer.path, "older.sqlite");
  mkdirSync(folder);
  const database = openForWriting(folder);
  // The guard looks at files, flushed or not.
  database.exec("PRAGMA synchronous = OFF");
  const guard = new DatabaseGuard(database, databasePathIn(folder));
  const write = (text: string) =>
    database.prepare("INSERT INTO upkeep (name, value) VALUES (?, ?)").run(text, "x".repeat(9000));
  write("first");
  guard.mergeIfDue(1);
  copyFileSync(databasePathIn(folder), olderCopy);
  write("second");
  guard.mergeIfDue(1);
  write("third");
  guard.look();
  return {
    folder,
    olderCopy,
    database,
    guard,
    write,
    [Symbol.asyncDispose]: async () => {
      database.close();
      guard[Symbol.dispose]();
      await outer[Symbol.asyncDispose]();
    },
  };
}

describe.concurrent("[Z8] the guard notices a database that is", () => {
  test.for(TAMPERINGS)("$title", async ({ tamper }, { expect }) => {
    await using guarded = await openGuarded();
    tamper(guarded);
    expect(() => guarded.guard.look()).toThrow(StoreLostError);
    expect(() => guarded.guard.look()).toThrow(databasePathIn(guarded.folder));
  });

  test.for(TAMPERINGS)("$title, after the next commit too", async ({ tamper }, { expect }) => {
    await using guarded = await openGuarded();
    tamper(guarded);
    try {
      guarded.write("fourth");
    } catch {
      // SQLite notices some of it. The guard then says what it is.
    }
    expect(() => guarded.guard.look()).toThrow(StoreLostError);
  });
});

describe.concurrent("[Z8] the guard lets pass", () => {
  const LEGITIMATE: readonly [string, (other: DatabaseSync, path: string) => void][] = [
    ["commits", (other) => other.exec("INSERT INTO upkeep VALUES ('other', 'x')")],
    ["a merge", (other) => other.exec("PRAGMA wal_checkpoint(PASSIVE)")],
    [
      "a merge of its own commits",
      (other) => {
        other.exec("INSERT INTO upkeep VALUES ('other', 'x'); PRAGMA wal_checkpoint(FULL)");
      },
    ],
    ["a merge that empties the log", (other) => other.exec("PRAGMA wal_checkpoint(TRUNCATE)")],
    ["a vacuum", (other) => other.exec("VACUUM; PRAGMA wal_checkpoint(RESTART)")],
    [
      "a large transaction",
      (other) => {
        other.exec("CREATE TABLE large (x); INSERT INTO large SELECT randomblob(3000000)");
      },
    ],
    [
      "a roll-back",
      (other) => {
        other.exec("PRAGMA cache_size = 1; BEGIN; CREATE TABLE large (x)");
        other.exec("INSERT INTO large SELECT randomblob(3000000); ROLLBACK");
      },
    ],
    ["other permissions", (_other, path) => chmodSync(path, 0o640)],
    ["another link to the file", (_other, path) => linkSync(path, `${path}.link`)],
  ];
  test.for(LEGITIMATE)("%s", async ([, act]) => {
    await using guarded = await openGuarded();
    const path = databasePathIn(guarded.folder);
    for (let round = 0; round < 2; round += 1) {
      using other = new DatabaseSync(path);
      if (round === 0) act(other, path);
      guarded.guard.look();
      guarded.write(`mine ${round}`);
      guarded.guard.look();
      guarded.guard.mergeIfDue(1);
    }
  });
});

test("[Z8] what was committed is saved when only the log was removed", async () => {
  await using guarded = await openGuarded();
  rmSync(`${databasePathIn(guarded.folder)}-wal`);
  expect(() => guarded.guard.look()).toThrow("Nothing is lost. Start the relay again.");
  copyFileSync(databasePathIn(guarded.folder), join(guarded.folder, "copy.sqlite"));
  using copy = new DatabaseSync(join(guarded.folder, "copy.sqlite"));
  expect(copy.prepare("SELECT name FROM upkeep WHERE name = 'third'").all()).toHaveLength(1);
});

test("[Z8] a database that is only read is noticed too, and every call is refused", async () => {
  await using folder = await temporaryFolder();
  await using records = await SqliteDatabase.open(folder.path);
  await register(records, "device-1");
  expect(records.broken.aborted).toBe(false);
  rmSync(databasePathIn(folder.path));
  await once(records.broken, "abort");
  expect(records.broken.reason).toBeInstanceOf(StoreLostError);
  for (const read of [
    () => records.packages.find("pkg_1"),
    () => records.pairings.listPairings("device-1"),
    () => records.soundKeys.list({ state: "doomed", limit: 1 }),
    () => records.upkeep.read(),
  ]) {
    await expect(read()).rejects.toThrow(StoreLostError);
  }
  await expect(records.soundKeys.addPending("pkg_1/1", T0)).rejects.toThrow(StoreLostError);
});

test("[Z8] a whole group is refused, and closing leaves the files as they are", async () => {
  await using folder = await temporaryFolder();
  const path = databasePathIn(folder.path);
  await using records = await SqliteDatabase.open(folder.path);
  await register(records, "device-1");
  const bytes = readFileSync(path);
  truncateSync(`${path}-wal`, 0);
  const keys = Array.from({ length: 5 }, (_, index) => `pkg_1/${index}`);
  const written = keys.map((key) => records.soundKeys.addPending(key, T0));
  for (const each of await Promise.allSettled(written)) {
    expect(each).toMatchObject({ status: "rejected", reason: expect.any(StoreLostError) });
  }
  await records[Symbol.asyncDispose]();
  expect(readFileSync(path).equals(bytes)).toBe(true);
});

test("[Z8] a file system that can't keep a write-ahead log is refused with advice", () => {
  using database = new DatabaseSync(":memory:");
  database.exec("PRAGMA journal_mode = WAL");
  expect(() => requireSafety(database, "/data/relay.sqlite")).toThrow(
    "/data/relay.sqlite can't be kept safely on this file system (SQLite's journal_mode is memory).",
  );
});
