import { readFileSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { StoreLostError } from "../../../../relay/domain/ports.ts";
import { databasePathIn } from "../../../../relay/storage/sqlite/open-database.ts";
import { openRecordsBeside } from "../../../../relay/storage/sqlite/records-beside.ts";
import { SqliteDatabase } from "../../../../relay/storage/sqlite/sqlite-database.ts";
import { T0 } from "../../../contracts/relay/records/sample-records.ts";
import { temporaryFolder } from "./open-sqlite.ts";

test("[Z8] what the database is asked of itself also says that it is damaged", async () => {
  await using folder = await temporaryFolder();
  await (await SqliteDatabase.open(folder.path))[Symbol.asyncDispose]();
  const path = databasePathIn(folder.path);
  using beside = openRecordsBeside(folder.path, { mayWrite: false });
  // All pages but the first one, which the connection has read.
  writeFileSync(path, readFileSync(path).fill(0, 4096));
  const { upkeep } = beside;
  for (const ask of [() => upkeep.readTime(), () => upkeep.isDeletionHeld(T0)]) {
    await expect(ask()).rejects.toThrow(StoreLostError);
  }
});
