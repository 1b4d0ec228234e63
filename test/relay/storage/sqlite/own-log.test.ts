import { copyFileSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, test } from "vitest";
import { DatabaseGuard } from "../../../../relay/storage/sqlite/database-guard.ts";
import { databasePathIn, openForWriting } from "../../../../relay/storage/sqlite/open-database.ts";
import { temporaryFolder } from "./open-sqlite.ts";

/** A guarded database that changes, and what a kill of its process would leave. */
async function openKillable() {
  const outer = await temporaryFolder();
  const folder = join(outer.path, "data");
  mkdirSync(folder);
  const database = openForWriting(folder);
  // Only the process is killed.
  database.exec("PRAGMA synchronous = OFF");
  const path = databasePathIn(folder);
  const guard = new DatabaseGuard(database, path);
  let copies = 0;
  return {
    database,
    guard,
    change(name: string): void {
      const insert = "INSERT INTO upkeep (name, value) VALUES (?, ?)";
      database.prepare(insert).run(name, "x".repeat(9000));
      guard.look();
      guard.mergeIfDue();
    },
    /** The files as they are now, in a folder of their own. @param parts which of them */
    copied(parts: readonly ("" | "-wal")[] = ["", "-wal"]): string {
      copies += 1;
      const copy = join(outer.path, `copy-${copies}`);
      mkdirSync(copy);
      for (const part of parts) copyFileSync(path + part, databasePathIn(copy) + part);
      return copy;
    },
    path: outer.path,
    [Symbol.asyncDispose]: async () => {
      database.close();
      guard[Symbol.dispose]();
      await outer[Symbol.asyncDispose]();
    },
  };
}

function putOver(killed: string, older: string): void {
  copyFileSync(databasePathIn(older), databasePathIn(killed));
}

function bytesIn(folder: string): readonly Buffer[] {
  return ["", "-wal"].map((part) => readFileSync(databasePathIn(folder) + part));
}

function namesIn(folder: string): readonly unknown[] {
  using database = openForWriting(folder);
  return database
    .prepare("SELECT name FROM upkeep ORDER BY name")
    .all()
    .map(({ name }) => name);
}

const REFUSED = /relay\.sqlite-wal .*doesn't belong to .*relay\.sqlite/s;

describe.concurrent("[Z8] a log of another database is refused, and both stay as they are:", () => {
  test("an older copy of the file, of any earlier merge", async ({ expect }) => {
    await using own = await openKillable();
    const older: string[] = [];
    for (let merge = 0; merge < 4; merge += 1) {
      own.change(`change-${merge}`);
      own.guard.mergeIfDue(1);
      older.push(own.copied([""]));
    }
    older.pop();
    own.change("last");
    for (const copy of older) {
      const killed = own.copied();
      putOver(killed, copy);
      const before = bytesIn(killed);
      expect(() => openForWriting(killed)).toThrow(REFUSED);
      expect(bytesIn(killed)).toEqual(before);
    }
  });

  test("a newer copy of the file", async ({ expect }) => {
    await using own = await openKillable();
    own.change("first");
    const killed = own.copied();
    own.guard.mergeIfDue(1);
    own.change("second");
    own.guard.mergeIfDue(1);
    putOver(killed, own.copied());
    expect(() => openForWriting(killed)).toThrow(REFUSED);
  });

  test("the copy before the first start that numbered it", async ({ expect }) => {
    const outer = await temporaryFolder();
    await using _outer = outer;
    const before = join(outer.path, "before");
    mkdirSync(before);
    openForWriting(before).close();
    await using own = await openKillable();
    own.change("first");
    const killed = own.copied();
    putOver(killed, before);
    expect(() => openForWriting(killed)).toThrow(REFUSED);
  });

  test("a compacted copy of the same moment", async ({ expect }) => {
    await using own = await openKillable();
    for (let at = 0; at < 20; at += 1) own.change(`change-${at}`);
    own.database.exec("DELETE FROM upkeep WHERE name LIKE 'change-1%'");
    const compacted = join(own.path, "compacted");
    own.database.prepare("VACUUM INTO ?").run(compacted);
    own.change("last");
    const killed = own.copied();
    copyFileSync(compacted, databasePathIn(killed));
    expect(() => openForWriting(killed)).toThrow(REFUSED);
  });

  test("no file at all", async ({ expect }) => {
    await using own = await openKillable();
    own.change("first");
    const killed = own.copied();
    rmSync(databasePathIn(killed));
    const log = readFileSync(`${databasePathIn(killed)}-wal`);
    expect(() => openForWriting(killed)).toThrow(/relay\.sqlite-wal .*is missing/s);
    expect(readFileSync(`${databasePathIn(killed)}-wal`).equals(log)).toBe(true);
  });
});

describe.concurrent("[Z8] after a kill a database opens with all changes:", () => {
  test("before, in the middle of and after a merge", async ({ expect }) => {
    await using own = await openKillable();
    own.change("first");
    own.guard.mergeIfDue(1);
    own.change("second");
    const killed = [own.copied()];
    own.database.exec("PRAGMA wal_checkpoint(PASSIVE)");
    killed.push(own.copied());
    for (const folder of killed) {
      expect(namesIn(folder)).toEqual(expect.arrayContaining(["first", "second"]));
    }
    own.guard.mergeIfDue(1);
    own.change("third");
    expect(namesIn(own.copied())).toEqual(expect.arrayContaining(["first", "second", "third"]));
  });

  test("when another program merged and went on in the log", async ({ expect }) => {
    await using own = await openKillable();
    own.change("first");
    using other = new DatabaseSync(databasePathIn(join(own.path, "data")));
    for (let round = 0; round < 3; round += 1) {
      other.exec("PRAGMA wal_checkpoint(RESTART)");
      other.prepare("INSERT INTO upkeep VALUES (?, 'x')").run(`other-${round}`);
      expect(namesIn(own.copied())).toContain(`other-${round}`);
      own.guard.look();
      own.change(`own-${round}`);
      expect(namesIn(own.copied())).toContain(`own-${round}`);
    }
  });

  test("at every moment of many changes", async ({ expect }) => {
    await using own = await openKillable();
    for (let at = 0; at < 40; at += 1) {
      own.change(`change-${at}`);
      if (at % 7 === 0) own.guard.mergeIfDue(1);
      expect(namesIn(own.copied())).toContain(`change-${at}`);
    }
  });
});
