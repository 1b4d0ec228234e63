import { copyFile, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, test } from "vitest";
import { makeAppToken } from "../../../../relay/domain/pairing/tokens.ts";
import { BUSY_TIMEOUT_MS, openForWriting } from "../../../../relay/storage/sqlite/open-database.ts";
import { SqliteDatabase } from "../../../../relay/storage/sqlite/sqlite-database.ts";
import { startWriterThread, WriteQueue } from "../../../../relay/storage/sqlite/write-queue.ts";
import { systemDigest, systemRandomBytes } from "../../../../relay/storage/system.ts";
import {
  insert,
  packageOf,
  pair,
  register,
  T0,
} from "../../../contracts/relay/records/sample-records.ts";
import { openSqlite, temporaryFolder } from "./open-sqlite.ts";

describe("the database's files", () => {
  test("[A1] hold hashes of tokens and codes, and never a token or a code", async () => {
    await using records = await openSqlite();
    const token = makeAppToken(systemRandomBytes);
    const tokenHash = systemDigest.ofText(token);
    const code = "K7MQ2X";
    await register(records, "device-1");
    await pair(records, "device-1", { tokenHash });
    const codeHash = systemDigest.ofText(code);
    await records.pairings.setCode("device-1", { codeHash, expiresAt: T0 + 1, now: T0 });

    const files = await readdir(records.folder);
    const contents = await Promise.all(
      files.map((file) => readFile(join(records.folder, file), "latin1")),
    );
    const everything = contents.join("\n");
    expect(everything).toContain(tokenHash);
    expect(everything).toContain(codeHash);
    expect(everything).not.toContain(token);
    expect(everything).not.toContain(code);
  });

  test.skipIf(process.platform === "win32")("are readable by the relay's user alone", async () => {
    await using records = await openSqlite();
    await register(records, "device-1");
    const files = await readdir(records.folder);
    expect(files.length).toBeGreaterThan(1);
    for (const file of files) {
      expect((await stat(join(records.folder, file))).mode & 0o777, file).toBe(0o600);
    }
  });

  test("are one file after closing, so that a copy of it is a complete backup", async () => {
    await using folder = await temporaryFolder();
    await using elsewhere = await temporaryFolder();
    const database = await SqliteDatabase.open(folder.path);
    const device = { deviceId: "device-1", deviceName: "Studio", registeredAt: T0, lastSeenAt: T0 };
    await database.pairings.insertDevice(device, "token");
    await database[Symbol.asyncDispose]();
    expect(await readdir(folder.path)).toEqual(["relay.sqlite"]);

    await copyFile(join(folder.path, "relay.sqlite"), join(elsewhere.path, "relay.sqlite"));
    await using copy = await SqliteDatabase.open(elsewhere.path);
    expect(await copy.pairings.findDevice("token")).toEqual(device);
  });

  test("are refused with a sentence and left unchanged if a newer relay wrote them", async () => {
    await using folder = await temporaryFolder();
    const path = join(folder.path, "relay.sqlite");
    using newer = new DatabaseSync(path);
    newer.exec("PRAGMA user_version = 99; CREATE TABLE of_the_future (x)");
    await expect(SqliteDatabase.open(folder.path)).rejects.toThrow(
      "was written by a newer Soundferry.",
    );
    expect(newer.prepare("SELECT name FROM sqlite_schema").all()).toEqual([
      { name: "of_the_future" },
    ]);
  });

  test("are refused and left unchanged if they are not a database", async () => {
    await using folder = await temporaryFolder();
    const path = join(folder.path, "relay.sqlite");
    const text = "This is a letter to my aunt. ".repeat(100);
    await writeFile(path, text);
    await expect(SqliteDatabase.open(folder.path)).rejects.toThrow(
      `${path} is not a database. Restore a backup with \`soundferry relay restore\``,
    );
    expect(await readFile(path, "utf8")).toBe(text);
  });
});

describe("the writer thread", () => {
  test("ends if the database can't be read", async () => {
    await using folder = await temporaryFolder();
    // Only the reading connection gets a timeout that SQLite refuses.
    const startWriter = () =>
      startWriterThread({ folder: folder.path, busyTimeoutMs: BUSY_TIMEOUT_MS });
    await expect(
      SqliteDatabase.open(folder.path, { startWriter, busyTimeoutMs: 0.5 }),
    ).rejects.toThrow('"options.timeout"');
    // The last connection that closes removes the other files.
    expect(await readdir(folder.path)).toEqual(["relay.sqlite"]);
  });

  test("[U7] commits with a full flush, in a journal that survives a power cut", async () => {
    await using folder = await temporaryFolder();
    using database = openForWriting(folder.path);
    const settingOf = (name: string) => database.prepare(`PRAGMA ${name}`).get()?.[name];
    expect(settingOf("journal_mode")).toBe("wal");
    expect(settingOf("synchronous")).toBe(2);
    expect(settingOf("fullfsync")).toBe(1);
    expect(settingOf("foreign_keys")).toBe(1);
  });

  test("finishes pending changes before it closes, and accepts none after", async () => {
    await using folder = await temporaryFolder();
    const queue = new WriteQueue(
      await startWriterThread({ folder: folder.path, busyTimeoutMs: BUSY_TIMEOUT_MS }),
    );
    const device = { deviceId: "device-1", deviceName: "Studio", registeredAt: T0, lastSeenAt: T0 };
    const asked = queue.do("insertDevice", { device, tokenHash: "token" });
    const closed = queue[Symbol.asyncDispose]();
    await expect(queue.do("doomPending", T0)).rejects.toThrow("The database is closed.");
    await asked;
    await closed;
    await using database = await SqliteDatabase.open(folder.path);
    expect(await database.pairings.findDevice("token")).toEqual(device);
  });

  test("may crash: pending and later changes reject instead of hanging", async () => {
    await using folder = await temporaryFolder();
    const worker = await startWriterThread({ folder: folder.path, busyTimeoutMs: BUSY_TIMEOUT_MS });
    await using queue = new WriteQueue(worker);
    const dead = "The thread that writes the database has ended.";
    const ended = worker.terminate();
    await expect(queue.do("doomPending", T0)).rejects.toThrow(dead);
    await ended;
    await queue.ended;
    await expect(queue.do("doomPending", T0)).rejects.toThrow(dead);
  });

  test("answers many concurrent changes separately", async () => {
    await using records = await openSqlite();
    await register(records, "device-1");
    const inserts = Array.from({ length: 300 }, (_, index) =>
      insert(records, packageOf(index % 3 === 0 ? "same" : `pkg_${index}`)),
    );
    const outcomes = await Promise.allSettled(inserts);
    const failed = outcomes.filter(({ status }) => status === "rejected");
    expect(failed).toHaveLength(99);
    for (let index = 1; index < 300; index += 1) {
      const id = index % 3 === 0 ? "same" : `pkg_${index}`;
      expect((await records.packages.find(id))?.packageId).toBe(id);
    }
  });
});
