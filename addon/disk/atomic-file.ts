import { renameSync, writeFileSync } from "node:fs";
import { open, readFile, rename } from "node:fs/promises";
import { dirname } from "node:path";

/**
 * Writes a file so that whoever reads it finds the old text or the new one, never a part of it, and
 * resolves when it survives a power cut. One writer at a time for each path.
 */
export async function writeFileAtomically(path: string, text: string): Promise<void> {
  const unfinished = unfinishedPath(path);
  const file = await open(unfinished, "w", 0o600);
  try {
    await file.writeFile(text);
    await file.datasync();
  } finally {
    await file.close();
  }
  await rename(unfinished, path);
  await flushFolder(dirname(path));
}

/**
 * Writes a file as `writeFileAtomically` does, but it survives the end of this process only, not a
 * power cut; small texts take a fraction of a millisecond.
 */
export function replaceFile(path: string, text: string): void {
  const unfinished = unfinishedPath(path);
  writeFileSync(unfinished, text, { mode: 0o600 });
  renameSync(unfinished, path);
}

/** Makes the names in a folder survive a power cut. Windows can't, and keeps them by itself. */
export async function flushFolder(path: string): Promise<void> {
  if (process.platform === "win32") return;
  const folder = await open(path, "r");
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/** The text of a file; undefined where there is none. */
export async function readTextIfAny(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** Whether a file operation failed because nothing is there. */
export function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ENOENT";
}

function unfinishedPath(path: string): string {
  return `${path}.new`;
}
