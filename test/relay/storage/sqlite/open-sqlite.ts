import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { RecordStore } from "../../../../relay/domain/ports.ts";
import { SqliteDatabase } from "../../../../relay/storage/sqlite/sqlite-database.ts";
import {
  type StartWriter,
  startWriterThread,
} from "../../../../relay/storage/sqlite/write-queue.ts";
import type { StoreUnderTest } from "../../../contracts/relay/contract.ts";
import { startWriterInside } from "../../writer-inside.ts";

/** A temporary folder, removed with its content on disposal. */
export async function temporaryFolder(): Promise<AsyncDisposable & { readonly path: string }> {
  const path = await mkdtemp(join(tmpdir(), "soundferry-storage-"));
  return {
    path,
    [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }),
  };
}

/** Records in a real SQLite file, in their own folder. */
export async function openSqlite(): Promise<
  RecordStore & AsyncDisposable & { readonly folder: string }
> {
  const folder = await temporaryFolder();
  const database = await SqliteDatabase.open(folder.path, { startWriter: startWriterInside });
  const { pairings, packages, soundKeys, changes } = database;
  return {
    pairings,
    packages,
    soundKeys,
    changes,
    folder: folder.path,
    [Symbol.asyncDispose]: async () => {
      await database[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}

/** An empty SQLite store for a contract suite, which writes in the test's thread. */
export function makeSqlite(): Promise<StoreUnderTest<RecordStore>> {
  return makeSqliteWith([startWriterInside]);
}

/** The same, but every second instance writes in a thread of its own: the two compete for the file as two processes do. */
export function makeCompetingSqlite(): Promise<StoreUnderTest<RecordStore>> {
  return makeSqliteWith([startWriterInside, startWriterThread]);
}

/**
 * An empty SQLite store for a contract suite, which writes in a thread of its own, as a relay's does.
 * @param prepare changes its folder before it is opened
 */
export function makeThreadedSqlite(
  prepare?: (folder: string) => void,
): Promise<StoreUnderTest<RecordStore>> {
  return makeSqliteWith([startWriterThread], prepare);
}

/**
 * Makes an empty SQLite store.
 * @param writers for one instance after the other, in turns
 */
async function makeSqliteWith(
  writers: readonly StartWriter[],
  prepare: (folder: string) => void = () => {},
): Promise<StoreUnderTest<RecordStore>> {
  const folder = await temporaryFolder();
  prepare(folder.path);
  const opened: SqliteDatabase[] = [];
  let begun = 0;
  return {
    open: async () => {
      const startWriter = writers[begun++ % writers.length] ?? startWriterThread;
      const database = await SqliteDatabase.open(folder.path, { startWriter });
      opened.push(database);
      return database;
    },
    [Symbol.asyncDispose]: async () => {
      await Promise.all(opened.map((database) => database[Symbol.asyncDispose]()));
      await folder[Symbol.asyncDispose]();
    },
  };
}
