import { randomUUID } from "node:crypto";
import { mkdir, readdir, realpath, rename, rm, rmdir } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { hasCode, isMissing, unlessMissing } from "./atomic-file.ts";
import { isOld } from "./clear-leftovers.ts";
import { DiskError } from "./disk-error.ts";
import { type FolderMarker, MARKER_FILE } from "../../core/saved-package/folder-marker.ts";
import { UNFINISHED_MARKER, writeMarker } from "./folder-marker.ts";

/** The temporary name of a package's folder: before it has its marker, and while it is removed. */
const NAMELESS = /^\.soundferry-[a-f0-9-]{36}$/;
/** The age from which an empty folder is removed: a person may just have created it. */
const EMPTY_LIMIT_MS = 24 * 60 * 60_000;

/**
 * Creates a package's folder, which appears with its marker or not at all.
 * @throws {Error} where the path exists
 */
export async function createPackageFolder(path: string, marker: FolderMarker): Promise<void> {
  const nameless = namelessBeside(path);
  await mkdir(nameless);
  await writeMarker(nameless, marker);
  await rename(nameless, path);
}

/** Removes a package's folder with its marker if it has no other file; it disappears at once or not at all. */
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

/** Removes a folder and its markers, but never another file. @returns whether the folder is gone */
async function removeMarkersAndFolder(path: string): Promise<boolean> {
  if (!(await hasOnlyMarkers(path))) return false;
  await rm(join(path, UNFINISHED_MARKER), { force: true });
  await rm(join(path, MARKER_FILE), { force: true });
  return removeFolder(path);
}

/** Removes an empty folder; returns false where it isn't empty. */
async function removeFolder(path: string): Promise<boolean> {
  try {
    await rmdir(path);
    return true;
  } catch (error) {
    if (hasCode(error, "ENOTEMPTY")) return false;
    throw error;
  }
}

/** Checks whether a folder, by its path or name, is a package's: the others are being created or removed. */
export function isPackageFolderName(path: string): boolean {
  return !NAMELESS.test(basename(path));
}

/**
 * Removes folders of packages that killed processes left with no file but an unfinished marker. No import may run
 * meanwhile.
 * @param keep a folder that stays although it is empty
 * @param now milliseconds since 1970, by the clock of the file system
 * @throws {DiskError} about the last folder that can't be read or removed, once the others are done
 */
export async function clearEmptyFolders(
  soundsFolder: string,
  { keep, now }: { readonly keep: string; readonly now: number },
): Promise<void> {
  let trouble: DiskError | undefined;
  const kept = await realpath(keep).catch(() => keep);
  for (const path of (await listFolders(soundsFolder)).filter((each) => each !== kept)) {
    try {
      await clearIfEmpty(path, now);
    } catch (cause) {
      if (isMissing(cause)) continue;
      trouble = new DiskError(`The folder ${path} can't be read or removed.`, { cause });
    }
  }
  if (trouble !== undefined) throw trouble;
}

async function clearIfEmpty(path: string, now: number): Promise<void> {
  const names = await readdir(path);
  const isNameless = !isPackageFolderName(path);
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

/** Lists the absolute paths of the folders in a folder, without links; none where that is missing. */
export async function listFolders(folder: string): Promise<readonly string[]> {
  const root = await unlessMissing(realpath(folder), undefined);
  if (root === undefined) return [];
  const entries = await unlessMissing(readdir(root, { withFileTypes: true }), []);
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => join(root, name));
}
