import { closeSync, fsyncSync, openSync } from "node:fs";
import { open } from "node:fs/promises";
import { codeOf } from "./make-folder.ts";

/** A folder as far as it is flushed. */
interface OpenFolder {
  sync(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Flushes the names in a folder as far as its file system can (rule Z13). Windows flushes them automatically.
 * @param openFolder opens the folder for reading; Node's call by default
 * @returns false if the file system can't flush folders: a power cut may then undo the last renames
 * @throws {Error} of the disk, for example EIO or ENOSPC
 */
export async function flushFolder(
  path: string,
  openFolder: (path: string) => Promise<OpenFolder> = open,
): Promise<boolean> {
  if (process.platform === "win32") return true;
  try {
    const folder = await openFolder(path);
    try {
      await folder.sync();
    } finally {
      await folder.close();
    }
    return true;
  } catch (error) {
    return judge(error, path);
  }
}

/** Flushes the names in a folder like `flushFolder`, for code that must not wait. */
export function flushFolderSync(path: string): boolean {
  if (process.platform === "win32") return true;
  try {
    const folder = openSync(path, "r");
    try {
      fsyncSync(folder);
    } finally {
      closeSync(folder);
    }
    return true;
  } catch (error) {
    return judge(error, path);
  }
}

/** Returns the first of these folders that its file system can't flush. Skips those that don't exist. */
export async function findUnflushable(folders: readonly string[]): Promise<string | undefined> {
  for (const folder of folders) {
    const isFlushed = await flushFolder(folder).catch((error: unknown) => {
      if (codeOf(error) !== "ENOENT") throw error;
      return true;
    });
    if (!isFlushed) return folder;
  }
  return undefined;
}

/** Says what a folder keeps that can't be flushed (rule Z13). @param what is kept there: a relay's answer, or a file */
export function formatUnflushable(folder: string, what: "A 200" | "What is saved"): string {
  return (
    `${folder} is on a file system that can't flush folders. ${what} there survives a kill, but perhaps not a ` +
    "power cut. To be sure, choose a folder on another disk."
  );
}

/**
 * The codes of systems that can't open or flush a folder: network shares, FUSE, WSL, and folders that this user may
 * write to but not read.
 */
const CANT_FLUSH = ["EINVAL", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EBADF", "EISDIR"];
const MAY_NOT_OPEN = ["EACCES", "EPERM"];

/**
 * Judges why a folder wasn't flushed. Node's permission model, under which Live runs extensions, forbids it and tells
 * nothing about the file system.
 */
function judge(error: unknown, path: string): boolean {
  const code = codeOf(error);
  if (code === "ERR_ACCESS_DENIED") return true;
  if (![...CANT_FLUSH, ...MAY_NOT_OPEN].includes(code)) throw withPath(error, path);
  return false;
}

/** Adds the path to an error of an open file, where Node leaves it out. */
export function withPath(error: unknown, path: string): unknown {
  const lacksPath = error instanceof Error && "syscall" in error && !("path" in error);
  return lacksPath ? Object.assign(error, { path }) : error;
}
