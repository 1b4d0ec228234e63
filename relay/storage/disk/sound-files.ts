import { open, opendir, readdir, rename, rmdir, stat, statfs, unlink } from "node:fs/promises";
import type { WritableFile } from "../../../program/batch-writer.ts";
import { flushFolder as flush } from "../../../program/flush-folder.ts";
import { makeFolder } from "../../../program/make-folder.ts";
import { codeOf } from "../error-codes.ts";
import { removeMany } from "./removal-thread.ts";
import type { Removal } from "./removal-worker.ts";

/** An open file, with the calls of `node:fs/promises` that a sound store makes. */
export interface SoundFile extends WritableFile {
  read(
    buffer: Uint8Array,
    offset: number,
    length: number,
    position: number,
  ): Promise<{ readonly bytesRead: number }>;
  stat(): Promise<{ readonly size: number }>;
  /** Makes the bytes of a file durable, or the names in a folder. */
  sync(): Promise<void>;
  /** Closes the file. Does nothing if it is closed. */
  close(): Promise<void>;
}

/** The way to open a file: to read it, to create it if its name is free, or to write to one that exists. */
export type OpenFlags = "r" | "wx" | "r+";

interface FolderEntry {
  readonly name: string;
  isDirectory(): boolean;
}

/** Facts about a name. */
interface FileStat {
  isFile(): boolean;
  readonly size: number;
  /** Time of the last write, in milliseconds since 1970, UTC. */
  readonly mtimeMs: number;
}

/** The calls of `node:fs/promises` that a sound store makes, as one process sees them. */
export interface SoundFiles {
  /** Paths of the sounds that this process is writing. Every store of a process shares them. */
  readonly beingWritten: Set<string>;
  /** Creates folders. Resolves with the outermost one that it created, if it created one. */
  mkdir(
    path: string,
    options: { readonly recursive: true; readonly mode: number },
  ): Promise<string | undefined>;
  open(path: string, flags?: OpenFlags, mode?: number): Promise<SoundFile>;
  opendir(path: string): Promise<AsyncIterable<FolderEntry>>;
  readdir(path: string): Promise<readonly string[]>;
  /** Deletes many sounds at once. Returns the keys that are left to single calls. */
  removeMany(removal: Removal): Promise<readonly string[]>;
  rename(from: string, to: string): Promise<void>;
  rmdir(path: string): Promise<void>;
  stat(path: string): Promise<FileStat>;
  statfs(
    path: string,
  ): Promise<{ readonly bavail: number; readonly blocks: number; readonly bsize: number }>;
  unlink(path: string): Promise<void>;
}

/** The files of this computer. */
export const NODE_FILES: SoundFiles = {
  beingWritten: new Set(),
  mkdir: makeFolder,
  open,
  opendir,
  readdir,
  removeMany,
  rename,
  rmdir,
  stat,
  statfs,
  unlink,
};

/** Makes the names in a folder durable, as far as its file system can (rule Z13). */
export async function flushFolder(files: SoundFiles, folder: string): Promise<void> {
  await flush(folder, (path) => files.open(path));
}

/** Checks whether a file has this name. */
export async function isFile(files: SoundFiles, path: string): Promise<boolean> {
  return (await unlessMissing(() => files.stat(path)))?.isFile() ?? false;
}

/** Runs a call. Returns undefined if a name in it doesn't exist. */
export async function unlessMissing<Result>(
  call: () => Promise<Result>,
): Promise<Result | undefined> {
  try {
    return await call();
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw error;
  }
}

/** Runs a call. Returns false instead of throwing if it fails with one of the codes. */
export async function unless(
  codes: readonly string[],
  call: () => Promise<unknown>,
): Promise<boolean> {
  try {
    await call();
    return true;
  } catch (error) {
    if (!codes.includes(codeOf(error))) throw error;
    return false;
  }
}
