import { basename, dirname, join } from "node:path";
import { MAX_JSON_BYTES } from "../../core/limits.ts";
import {
  type FolderMarker,
  formatMarker,
  MARKER_FILE,
  parseMarker,
} from "../../core/saved-package/folder-marker.ts";
import { lstatIfAny, readTextIfAny, unfinishedPath, writeFileAtomically } from "./atomic-file.ts";

/** The temporary name of a marker while it is written. */
export const UNFINISHED_MARKER = unfinishedPath(MARKER_FILE);

/** Reads a folder's marker; returns undefined where there is no valid one. */
export async function readMarker(folder: string): Promise<FolderMarker | undefined> {
  const path = join(folder, MARKER_FILE);
  const found = await lstatIfAny(path);
  if (found?.isFile() !== true || found.size > MAX_JSON_BYTES) return undefined;
  return parseMarker((await readTextIfAny(path)) ?? "");
}

/** Checks whether a listed name is a plain file name: prevents path traversal through a manipulated marker. */
export function isOwnName(name: string): boolean {
  return basename(name) === name && name !== MARKER_FILE;
}

export async function writeMarker(folder: string, marker: FolderMarker): Promise<void> {
  await writeFileAtomically(join(folder, MARKER_FILE), formatMarker(marker));
}

/**
 * Records in the marker a file that a host puts next to a sound, so that a leftover after a crash is known as
 * ours (rule F6). Does nothing without a marker.
 * @param use `made`: not played yet, `played`: a host plays it from here, `gone`: deleted
 */
export async function listFile(path: string, use: "made" | "played" | "gone"): Promise<void> {
  const [folder, name] = [dirname(path), basename(path)];
  const marker = await readMarker(folder);
  if (marker === undefined) return;
  const [fileNames, playedNames] = [new Set(marker.fileNames), new Set(marker.playedNames)];
  if (use === "gone") fileNames.delete(name);
  else fileNames.add(name);
  if (use === "played") playedNames.add(name);
  else playedNames.delete(name);
  await writeMarker(folder, { ...marker, fileNames, playedNames });
}

/**
 * Marks files of one folder as played by a host from here, before the host gets them: a crash in between
 * must not make them clearable (rule F6).
 * @returns the paths that weren't played before, for `unmarkPlayed`
 */
export async function markPlayed(paths: readonly string[]): Promise<readonly string[]> {
  return changePlayed(paths, (played, name) => {
    if (played.has(name)) return false;
    played.add(name);
    return true;
  });
}

/** Undoes `markPlayed` for files that no host plays after all. */
export async function unmarkPlayed(paths: readonly string[]): Promise<void> {
  await changePlayed(paths, (played, name) => played.delete(name));
}

/** Applies a change to each path's folder; returns the paths that it changed. */
async function changePlayed(
  paths: readonly string[],
  change: (played: Set<string>, name: string) => boolean,
): Promise<readonly string[]> {
  const changed: string[] = [];
  for (const [folder, inFolder] of Map.groupBy(paths, dirname)) {
    const marker = await readMarker(folder);
    if (marker === undefined) continue;
    const playedNames = new Set(marker.playedNames);
    const ours = inFolder.filter((path) => change(playedNames, basename(path)));
    if (ours.length > 0) await writeMarker(folder, { ...marker, playedNames });
    changed.push(...ours);
  }
  return changed;
}
