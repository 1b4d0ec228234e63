import { closeSync, fdatasyncSync, openSync, renameSync, type Stats, writeFileSync } from "node:fs";
import { type FileHandle, lstat, open, readdir, readFile, rename } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { flushFolder, flushFolderSync, withPath } from "../../program/flush-folder.ts";
import { makeFolder, makeFolderSync } from "../../program/make-folder.ts";

/**
 * Replaces a file atomically (write, flush, rename); resolves once it survives a power cut. Allows one
 * writer per path at a time.
 * @param mode of the file; readable only by its owner by default
 */
export async function writeFileAtomically(
  path: string,
  content: string | Uint8Array,
  mode = 0o600,
): Promise<void> {
  const unfinished = unfinishedPath(path);
  const file = await open(unfinished, "w", mode);
  try {
    await file.writeFile(content);
    await flushData(file);
  } catch (error) {
    throw withPath(error, path);
  } finally {
    await file.close();
  }
  await rename(unfinished, path);
  await flushFolder(dirname(path));
}

/** Replaces a file like `writeFileAtomically`, for code that must not wait. */
export function replaceFile(path: string, text: string): void {
  const unfinished = unfinishedPath(path);
  writeSync(unfinished, text, "w");
  renameSync(unfinished, path);
  flushFolderSync(dirname(path));
}

/** Replaces a file such that it survives a crash of the program. A power cut may tear it until `moveFlushed`. */
export function exchangeFile(path: string, text: string): void {
  const unfinished = unfinishedPath(path);
  writeFileSync(unfinished, text, { mode: 0o600 });
  renameSync(unfinished, path);
}

/** Puts a file in the place of another one of its folder, such that it survives a power cut. */
export function moveFlushed(from: string, to: string): void {
  const file = openSync(from, "r+");
  try {
    flushDataSync(file);
  } catch (error) {
    throw withPath(error, from);
  } finally {
    closeSync(file);
  }
  renameSync(from, to);
  flushFolderSync(dirname(to));
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
  } catch (error) {
    throw withPath(error, path);
  } finally {
    closeSync(file);
  }
}

/** Returns the path at which a file is written before it replaces the one at `path`. */
export function unfinishedPath(path: string): string {
  return `${path}.new`;
}

/**
 * Creates a folder like `makeFolder`. The folders that it creates survive a power cut, as far as the folders around
 * them can be flushed (rule Z13).
 * @throws {FolderNotMadeError}
 */
export async function makeDurableFolder(path: string): Promise<void> {
  const outermost = await makeFolder(path);
  for (const folder of foldersAround(path, outermost)) await flushFolder(folder);
}

/** Creates a folder like `makeDurableFolder`, for code that must not wait. */
export function makeDurableFolderSync(path: string, options: { readonly mode: number }): void {
  const outermost = makeFolderSync(path, options);
  for (const folder of foldersAround(path, outermost)) flushFolderSync(folder);
}

/** Lists the parents of new folders, from the innermost to the one that already existed. */
function foldersAround(path: string, outermost: string | undefined): readonly string[] {
  const folders: string[] = [];
  if (outermost === undefined) return folders;
  for (let made = resolve(path); ; made = dirname(made)) {
    folders.push(dirname(made));
    if (made === outermost) return folders;
  }
}

/** Reads a text file; returns undefined where there is no file. */
export async function readTextIfAny(path: string): Promise<string | undefined> {
  return unlessMissing(readFile(path, "utf8"), undefined);
}

/** Returns the properties of a file, folder or link; undefined where there is nothing. */
export async function lstatIfAny(path: string): Promise<Stats | undefined> {
  return unlessMissing(lstat(path), undefined);
}

/** Lists the names of the files in a folder; none where there is no folder. */
export async function listFiles(folder: string): Promise<readonly string[]> {
  const entries = await unlessMissing(readdir(folder, { withFileTypes: true }), []);
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
}

/** Resolves with `fallback` where a file operation failed because something is missing. */
export async function unlessMissing<Found, Fallback>(
  found: Promise<Found>,
  fallback: Fallback,
): Promise<Found | Fallback> {
  try {
    return await found;
  } catch (error) {
    if (isMissing(error)) return fallback;
    throw error;
  }
}

/** Checks whether a file operation failed with ENOENT. */
export function isMissing(error: unknown): boolean {
  return hasCode(error, "ENOENT");
}

/** Checks whether an error has one of these codes of the system or of Node, such as `EEXIST`. */
export function hasCode(error: unknown, ...codes: readonly string[]): boolean {
  return error instanceof Error && "code" in error && codes.includes(String(error.code));
}

// Node's permission model, under which Live runs extensions, refuses a flush from Node 26 on. The system
// then writes to disk in its own time: a crash of the program still loses nothing, a power cut may.

/** Resolves once a file's bytes survive a power cut, as far as Node permits it (fdatasync). */
export async function flushData(file: Pick<FileHandle, "datasync">): Promise<void> {
  try {
    await file.datasync();
  } catch (error) {
    throwUnlessForbidden(error);
  }
}

/** Flushes like `flushData`, and also a file's properties (fsync). */
export async function flushAll(file: Pick<FileHandle, "sync">): Promise<void> {
  try {
    await file.sync();
  } catch (error) {
    throwUnlessForbidden(error);
  }
}

function flushDataSync(file: number): void {
  try {
    fdatasyncSync(file);
  } catch (error) {
    throwUnlessForbidden(error);
  }
}

/** Ignores that Node has no flush here at all; Node refuses a single file with the same code. */
function throwUnlessForbidden(error: unknown): void {
  const isDenied = error instanceof Error && hasCode(error, "ERR_ACCESS_DENIED");
  if (!isDenied || !/\bf(data)?sync API is disabled\b/.test(error.message)) throw error;
}
