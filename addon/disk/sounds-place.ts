import { realpathSync } from "node:fs";
import { realpath } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { PanelSoundsFolder } from "../../core/protocol/panel-api.ts";
import { nearestExisting, tryWriting } from "../../program/try-folder.ts";
import { shortenHome } from "./home-path.ts";
import { isSyncedFolder } from "./synced-folder.ts";

/** Live's User Library, as a place for sounds (rule F9). */
export interface SoundsLibrary {
  readonly path: string;
  /** Why no sounds folder is made in it; null if one is. */
  readonly trouble: PanelSoundsFolder["because"];
}

const IN_LIBRARY = ["Samples", "Soundferry"] as const;

/** Returns the sounds folder in Live's User Library, which Live's browser shows under *Samples*. */
export function soundsFolderIn(library: string): string {
  return join(library, ...IN_LIBRARY);
}

/** Returns the library of a sounds folder in one; undefined for a folder in another place. */
export function libraryAround(folder: string): string | undefined {
  const library = dirname(dirname(folder));
  const names = [basename(dirname(folder)), basename(folder)];
  return names.every((name, index) => name === IN_LIBRARY[index]) ? library : undefined;
}

/**
 * Examines Live's User Library as a place for sounds; writes a file into it and removes it.
 * @param syncedRoots folders that the system names as synchronized with a cloud
 */
export async function examineLibrary(
  path: string,
  syncedRoots: readonly string[],
): Promise<SoundsLibrary> {
  const place = await nearestExisting(soundsFolderIn(path));
  const real = await realpath(place).catch(() => place);
  if (isSyncedFolder(real, syncedRoots)) return { path, trouble: "cloud" };
  try {
    await tryWriting(place);
    return { path, trouble: null };
  } catch {
    return { path, trouble: "not-writable" };
  }
}

/** Returns the sounds folder of a computer on which Live's User Library can't be used. */
export function usualSoundsFolder(home: string): string {
  return join(home, "Music", "Soundferry");
}

interface SoundsFolderFacts {
  readonly soundsFolder: string;
  readonly soundsFixedBecause: string | null;
  readonly library?: SoundsLibrary | undefined;
}

/** Says where the sounds folder is, and why, for the panel. The folder may not exist yet; links are resolved. */
export function describeSoundsFolder(
  { soundsFolder, soundsFixedBecause, library }: SoundsFolderFacts,
  home: string,
): PanelSoundsFolder {
  const isInLibrary =
    library !== undefined &&
    resolveLinks(soundsFolder) === resolveLinks(soundsFolderIn(library.path));
  const isUsual = soundsFixedBecause === null && soundsFolder === usualSoundsFolder(home);
  return {
    path: shortenHome(soundsFolder, home),
    isInLibrary,
    because: isUsual && !isInLibrary ? (library?.trouble ?? null) : null,
    fixedBecause: soundsFixedBecause,
  };
}

function resolveLinks(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return dirname(path) === path ? path : join(resolveLinks(dirname(path)), basename(path));
  }
}
