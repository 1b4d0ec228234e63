import { realpath } from "node:fs/promises";
import { isAbsolute, relative, resolve, sep } from "node:path";
import { findPackages } from "../layout/find-packages.ts";
import type { SceneFolder } from "./read-preview-scene.ts";
import { shortDigestOf } from "./short-digest.ts";

/** Where packages are looked for. */
export interface SearchOptions {
  /** Absolute, as `realRoot` gives them: package folders, and libraries of them. */
  readonly roots: readonly string[];
  /** Absolute; folders beneath it are shown relative to it. */
  readonly startFolder: string;
}

/** The real path of a folder that is to be previewed, so that it can be watched; one that is not there may come. */
export async function realRoot(folder: string): Promise<string> {
  try {
    return await realpath(folder);
  } catch {
    return resolve(folder);
  }
}

/**
 * The folders to be shown, by their absolute paths and in the order in which `findPackages` finds them; a root
 * without a package is one of them.
 */
export async function findSceneFolders({
  roots,
  startFolder,
}: SearchOptions): Promise<ReadonlyMap<string, SceneFolder>> {
  const folders = await findPackages(roots);
  const asScene = (folder: string): SceneFolder => ({
    key: shortDigestOf(folder),
    folder,
    shownAs: shownFrom(startFolder, folder),
  });
  return new Map(folders.map((folder) => [folder, asScene(folder)]));
}

function shownFrom(startFolder: string, folder: string): string {
  const path = relative(startFolder, folder);
  const isBeneath = path !== ".." && !path.startsWith(`..${sep}`) && !isAbsolute(path);
  return isBeneath ? path || "." : folder;
}
