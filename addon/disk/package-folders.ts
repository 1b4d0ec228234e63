import { randomUUID } from "node:crypto";
import { mkdir, readdir, realpath, rename, rm, rmdir } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { isMissing } from "./atomic-file.ts";
import { isOld } from "./clear-leftovers.ts";
import { DiskError } from "./disk-error.ts";
import { type FolderMarker, MARKER_FILE, UNFINISHED_MARKER, writeMarker } from "./folder-marker.ts";

/** The name of a package's folder before it has its marker, and after it was given up. */
const NAMELESS = /^\.soundferry-[a-f0-9-]{36}$/;
/** An empty folder may be a person's. */
const EMPTY_LIMIT_MS = 24 * 60 * 60_000;

/** Creates a package's folder, which appears with its marker or not at all. @throws where the path exists */
export async function createPackageFolder(path: string, marker: FolderMarker): Promise<void> {
  const nameless = namelessBeside(path);
  await mkdir(nameless);
  await writeMarker(nameless, marker);
  await rename(nameless, path);
}

/** Removes a package's folder with its marker if no other file is in it; it disappears at once or not at all. */
export async function removeIfEmpty(path: string): Promise<void> {
  if (!(await hasOnlyMarkers(path))) return;
  const nameless = namelessBeside(path);
  await rename(path, nameless);
  // Somebody may have put a file into it meanwhile.
  if (!(await removeMarkersAndFolder(nameless))) await rename(nameless, path);
}

async function hasOnlyMarkers(path: string): Promise<boolean> {
  return (await readdir(path)).every(isMarker);
}

/** Never removes another file. @returns whether the folder is gone */
async function removeMarkersAndFolder(path: string): Promise<boolean> {
  if (!(await hasOnlyMarkers(path))) return false;
  await rm(join(path, UNFINISHED_MARKER), { force: true });
  await rm(join(path, MARKER_FILE), { force: true });
  return removeFolder(path);
}

/** @returns false where something is in it */
async function removeFolder(path: string): Promise<boolean> {
  try {
    await rmdir(path);
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOTEMPTY") return false;
    throw error;
  }
}

/** Returns whether a folder's name is that of a package: others are on their way there, or from there. */
export function isPackageFolderName(name: string): boolean {
  return !NAMELESS.test(name);
}

/**
 * Removes folders of packages that hold no file but an unfinished marker, which killed processes left. No import may
 * run meanwhile.
 * @param keep a folder that stays although it is empty
 * @param now milliseconds since 1970, by the clock of the file system
 * @throws {DiskError} about the last folder that can't be read or removed, when the others are done
 */
export async function clearEmptyFolders(
  soundsFolder: string,
  { keep, now }: { readonly keep: string; readonly now: number },
): Promise<void> {
  let trouble: DiskError | undefined;
  for (const path of await listFolders(soundsFolder, keep)) {
    try {
      await clearIfEmpty(path, now);
    } catch (cause) {
      if (isMissing(cause)) continue;
      const code = cause instanceof Error && "code" in cause ? ` (${String(cause.code)})` : "";
      trouble = new DiskError(`The folder ${path} can't be read or removed${code}.`, { cause });
    }
  }
  if (trouble !== undefined) throw trouble;
}

async function clearIfEmpty(path: string, now: number): Promise<void> {
  const names = await readdir(path);
  const isNameless = !isPackageFolderName(basename(path));
  const isHalfMade = names.length > 0 && names.every((name) => name === UNFINISHED_MARKER);
  if (isNameless && (await isOld(path, now))) await removeMarkersAndFolder(path);
  else if (isHalfMade && (await isOld(path, now))) await removeIfEmpty(path);
  else if (names.length === 0 && (await isOld(path, now, EMPTY_LIMIT_MS))) await removeFolder(path);
}

function namelessBeside(path: string): string {
  return join(dirname(path), `.soundferry-${randomUUID()}`);
}

function isMarker(name: string): boolean {
  return name === MARKER_FILE || name === UNFINISHED_MARKER;
}

async function listFolders(soundsFolder: string, keep: string): Promise<readonly string[]> {
  try {
    const root = await realpath(soundsFolder);
    const kept = await realpath(keep).catch(() => keep);
    const entries = await readdir(root, { withFileTypes: true });
    const folders = entries.filter((entry) => entry.isDirectory());
    return folders.map(({ name }) => join(root, name)).filter((path) => path !== kept);
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}
