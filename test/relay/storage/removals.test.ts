import { existsSync, symlinkSync, unlinkSync } from "node:fs";
import { appendFile, mkdir, readFile, rmdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, onTestFinished, test } from "vitest";
import { parseRemoval, readLines } from "../../../relay/storage/removals-log.ts";
import { openForWriting } from "../../../relay/storage/sqlite/open-database.ts";
import { removalsAppender } from "../../../relay/storage/sqlite/removals.ts";
import { SqliteDatabase } from "../../../relay/storage/sqlite/sqlite-database.ts";
import {
  insert,
  packageOf,
  pair,
  register,
  T0,
} from "../../contracts/relay/records/sample-records.ts";
import { soon } from "../../sim/soon.ts";
import { temporaryFolder } from "./sqlite/open-sqlite.ts";

const DAY = 86_400_000;

async function openFolder() {
  const folder = await temporaryFolder();
  onTestFinished(() => folder[Symbol.asyncDispose]());
  const log = join(folder.path, "removals.log");
  const logged = () =>
    [...readLines(log)].map((line) => {
      const removal = parseRemoval(line);
      return removal && `${removal.kind} ${removal.id}`;
    });
  return { path: folder.path, log, logged };
}

test("[Z11] removals are in the log when they are answered, and expiry is none", async () => {
  const { path, logged } = await openFolder();
  await using records = await SqliteDatabase.open(path);
  await register(records, "device-1");
  const { pairingId } = await pair(records, "device-1");
  await pair(records, "device-1", { tokenHash: "second" });
  for (const name of ["withdrawn", "expired"]) await insert(records, packageOf(name));
  expect(logged()).toEqual([]);

  await records.packages.remove("expired", 1);
  await records.packages.remove("withdrawn", 7, true);
  expect(logged()).toEqual([]);
  await records.packages.remove("withdrawn", 1, true);
  expect(logged()).toEqual(["package withdrawn"]);
  await records.pairings.unpair({ tokenHash: "second" }, T0);
  await records.pairings.unpair({ tokenHash: "unknown" }, T0);
  expect(logged()).toEqual(["package withdrawn", "token second"]);
  await records.pairings.unpair({ deviceId: "device-1", pairingId }, T0);
  await records.pairings.removeDevice("device-1");
  expect(logged().slice(2)).toEqual([`pairing ${pairingId}`, "device device-1"]);
});

test("[Z11] a token that makes room for a newer one is logged too", async () => {
  const { path, logged } = await openFolder();
  await using records = await SqliteDatabase.open(path);
  await register(records, "device-1");
  for (let token = 1; token <= 11; token += 1) {
    await pair(records, "device-1", { tokenHash: `token ${token}` });
  }
  expect(logged()).toEqual(["token token 1"]);
});

test("[Z11] what a crash left between the commit and the log is logged at the next start", async () => {
  const { path, log, logged } = await openFolder();
  const crashed = openForWriting(path);
  crashed.exec("INSERT INTO removals (at, kind, id) VALUES (1, 'token', 'a'), (2, 'device', 'b')");
  crashed.close();
  await writeFile(log, '{"seq":1,"at":1,"kind":"tok');
  await using _records = await SqliteDatabase.open(path);
  expect(logged()).toEqual([undefined, "token a", "device b"]);
  using database = new DatabaseSync(join(path, "relay.sqlite"), { readOnly: true });
  expect(database.prepare("SELECT * FROM removals").all()).toEqual([]);
});

test("[Z11] after a failed write to the log nothing is answered, and it is written later", async () => {
  const { path, log, logged } = await openFolder();
  await using records = await SqliteDatabase.open(path);
  await register(records, "device-1");
  const { pairingId } = await pair(records, "device-1");
  // A file can't be written where a folder is.
  await mkdir(log);
  await expect(records.pairings.unpair({ deviceId: "device-1", pairingId }, T0)).rejects.toThrow(
    "EISDIR",
  );
  await rmdir(log);
  await records.pairings.changeDevice("device-1", { deviceName: "Other" });
  expect(logged()).toEqual([`pairing ${pairingId}`]);
});

test("[Z11] a log that can't be written keeps no relay from starting, and is written once it can be", async () => {
  const { path, log, logged } = await openFolder();
  {
    await using records = await SqliteDatabase.open(path);
    await register(records, "device-1");
    using other = new DatabaseSync(join(path, "relay.sqlite"), { timeout: 5000 });
    other.exec("INSERT INTO removals (at, kind, id) VALUES (1, 'token', 'a')");
    other.exec("INSERT INTO upkeep VALUES ('time', '1')");
  }
  await mkdir(log);
  const troubles: string[] = [];
  await using records = await SqliteDatabase.open(path, {
    onTrouble: ({ message }) => troubles.push(message),
  });
  await soon(() => troubles).toEqual(Array(2).fill(expect.stringContaining("EISDIR")));
  await rmdir(log);
  await records.pairings.changeDevice("device-1", { deviceName: "Other" });
  expect(logged()).toEqual(["token a"]);
});

test("[Z11] a removal is forgotten after a year of the time that was kept, whatever the clock says", async () => {
  const { path, log, logged } = await openFolder();
  const line = (days: number, id: string) =>
    `${JSON.stringify({ seq: 1, at: T0 + days * DAY, kind: "device", id })}\n`;
  await writeFile(log, line(0, "oldest") + line(10, "old") + line(370, "young"));
  await appendFile(log, "{torn\n");
  {
    await using records = await SqliteDatabase.open(path);
    expect(logged()).toHaveLength(4);
    await records.upkeep.keep({ time: T0 + 371 * DAY });
  }
  await using _records = await SqliteDatabase.open(path);
  expect(logged()).toEqual(["device old", "device young", undefined]);
  expect((await readFile(log, "utf8")).endsWith("{torn\n")).toBe(true);
});

// A device that is always full, which only Linux has.
test.runIf(existsSync("/dev/full"))(
  "[Z11][Z7] a full disk gets room, and the removal is logged (needs /dev/full)",
  async () => {
    const { path, log, logged } = await openFolder();
    using database = openForWriting(path);
    const asked: string[] = [];
    const append = removalsAppender(database, path, () => {
      asked.push("room");
      unlinkSync(log);
      return asked.length === 1;
    });
    database.exec("INSERT INTO removals (at, kind, id) VALUES (1, 'token', 'a')");
    symlinkSync("/dev/full", log);
    append();
    expect(asked).toEqual(["room"]);
    expect(logged()).toEqual(["token a"]);

    unlinkSync(log);
    symlinkSync("/dev/full", log);
    database.exec("INSERT INTO removals (at, kind, id) VALUES (1, 'token', 'b')");
    expect(append).toThrow("ENOSPC");
    append();
    expect(logged()).toEqual(["token b"]);
  },
);

test("[Z11] lines are read whole where the pieces of a long log end, also after megabytes of zeros", async () => {
  const { log } = await openFolder();
  const lines = Array.from({ length: 9000 }, (_, at) => `${at} é`);
  await writeFile(log, `${lines.join("\n\n")}\n${"\0".repeat(2_000_000)}`);
  expect([...readLines(log)]).toEqual([...lines, "\0".repeat(2_000_000)]);
});
