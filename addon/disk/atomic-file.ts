import { renameSync, writeFileSync } from "node:fs";
import { open, readFile, rename } from "node:fs/promises";
import { dirname } from "node:path";
import { flushData, flushAll } from "./flush.ts";

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

/** Like `writeFileAtomically` but without a flush: it survives a crash, not a power cut. Small texts take under 1 ms. */
export function replaceFile(path: string, text: string): void {
  const unfinished = unfinishedPath(path);
  writeFileSync(unfinished, text, { mode: 0o600 });
  renameSync(unfinished, path);
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

function unfinishedPath(path: string): string {
  return `${path}.new`;
}
