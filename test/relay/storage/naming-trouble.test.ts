import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { StoreBusyError, StoreLostError } from "../../../relay/domain/ports.ts";
import { named } from "../../../relay/storage/naming-trouble.ts";
import { recordsOver } from "../../../relay/storage/records/records-over.ts";
import { applyMigrations } from "../../../relay/storage/sqlite/migrations.ts";
import { databasePathIn } from "../../../relay/storage/sqlite/open-database.ts";
import { RecordCache } from "../../../relay/storage/sqlite/record-cache.ts";
import { openRecordsBeside } from "../../../relay/storage/sqlite/records-beside.ts";
import { SqliteDatabase } from "../../../relay/storage/sqlite/sqlite-database.ts";
import { SqliteEngine } from "../../../relay/storage/sqlite/sqlite-engine.ts";
import { temporaryFolder } from "./sqlite/open-sqlite.ts";

test("[Z7] D9: a read that meets another program's lock is named busy", async () => {
  await using folder = await temporaryFolder();
  const path = join(folder.path, "relay.sqlite");
  // Without a WAL, a writer locks readers out, as an exclusive lock and a recovery do with one.
  using other = new DatabaseSync(path);
  applyMigrations(other);
  using reading = new DatabaseSync(path, { readOnly: true, timeout: 1 });
  const write = () => Promise.reject(new Error("Nothing is written."));
  const engine = new SqliteEngine({ reading, write, cache: new RecordCache() });
  const { packages, pairings, soundKeys } = recordsOver(engine);
  other.exec("BEGIN EXCLUSIVE");
  const reads = [
    packages.find("pkg_none"),
    pairings.findApp("none"),
    soundKeys.list({ state: "doomed", limit: 1 }),
  ];
  for (const read of reads) await expect(read).rejects.toBeInstanceOf(StoreBusyError);
  other.exec("ROLLBACK");
  expect(await packages.find("pkg_none")).toBeUndefined();
});

test("errors that aren't the disk's keep what they are", () => {
  const errors = [new Error("gone"), Object.assign(new Error(), { code: "ENOENT" }), "text"];
  for (const error of errors) expect(named(error, "/data")).toBe(error);
});

test("[Z8] what the database is asked of itself also says that it is damaged", async () => {
  await using folder = await temporaryFolder();
  await (await SqliteDatabase.open(folder.path))[Symbol.asyncDispose]();
  const path = databasePathIn(folder.path);
  using beside = openRecordsBeside(folder.path, { mayWrite: false });
  // All pages but the first one, which the connection has read.
  writeFileSync(path, readFileSync(path).fill(0, 4096));
  await expect(beside.upkeep.read()).rejects.toThrow(StoreLostError);
});
