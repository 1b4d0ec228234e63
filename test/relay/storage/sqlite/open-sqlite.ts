import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SqliteDatabase } from "../../../../relay/storage/sqlite/sqlite-database.ts";
import type { RecordsUnderTest } from "../../../contract/records-under-test.ts";

/** A temporary folder, removed with its content on disposal. */
export async function temporaryFolder(): Promise<AsyncDisposable & { readonly path: string }> {
  const path = await mkdtemp(join(tmpdir(), "soundferry-storage-"));
  return {
    path,
    [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }),
  };
}

/** Records in a real SQLite file, in their own folder. */
export async function openSqlite(): Promise<RecordsUnderTest & { readonly folder: string }> {
  const folder = await temporaryFolder();
  let database = await SqliteDatabase.open(folder.path);
  return {
    folder: folder.path,
    get pairings() {
      return database.pairings;
    },
    get packages() {
      return database.packages;
    },
    reopen: async () => {
      await database[Symbol.asyncDispose]();
      database = await SqliteDatabase.open(folder.path);
    },
    [Symbol.asyncDispose]: async () => {
      await database[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}
