import { closeSync, openSync, renameSync, writeFileSync } from "node:fs";
import { open, readFile, rename } from "node:fs/promises";
import { dirname } from "node:path";
import { flushAll, flushAllSync, flushData, flushDataSync } from "./flush.ts";

/**
 * Replaces a file atomically (write, flush, rename); resolves once it survives a power cut. Allows one
 * writer per path at a time.
 */
export async function writeFileAtomically(path: string, text: string): Promise<void> {
  const unfinished = unfinishedPath(path);
  const file = await open(unfinished, "w", 0o600);
  try {
    await file.writeFile(text);
    await flushData(file);
  } finally {
    await file.close();
  }
  await rename(unfinished, path);
  await flushFolder(dirname(path));
}

/** Like `writeFileAtomically`, for code that must not wait. */
export function replaceFile(path: string, text: string): void {
  const unfinished = unfinishedPath(path);
  writeSync(unfinished, text, "w");
  renameSync(unfinished, path);
  flushFolderSync(dirname(path));
}

/** Appends to a file, such that it survives a power cut. The caller flushes the folder of a new file. */
export function appendSync(path: string, text: string): void {
  writeSync(path, text, "a");
}

function writeSync(path: string, text: string, flags: "a" | "w"): void {
  const file = openSync(path, flags, 0o600);
  try {
    writeFileSync(file, text);
    flushDataSync(file);
  } finally {
    closeSync(file);
  }
}

/** Flushes a folder's entries (fsync). Windows can't and doesn't need it. */
export async function flushFolder(path: string): Promise<void> {
  if (process.platform === "win32") return;
  const folder = await open(path, "r");
  try {
    await flushAll(folder);
  } finally {
    await folder.close();
  }
}

/** Like `flushFolder`, for code that must not wait. */
export function flushFolderSync(path: string): void {
  if (process.platform === "win32") return;
  const folder = openSync(path, "r");
  try {
    flushAllSync(folder);
  } finally {
    closeSync(folder);
  }
}

/** Returns undefined where there is no file. */
export async function readTextIfAny(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** Returns whether a file operation failed with ENOENT. */
export function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ENOENT";
}

/** Where a file is written before it replaces the one at `path`. */
export function unfinishedPath(path: string): string {
  return `${path}.new`;
}
