import { realpath } from "node:fs/promises";
import { relative, resolve } from "node:path";
import { isInside } from "../layout/is-inside.ts";
import { findPackages } from "../layout/find-packages.ts";
import { shortDigestOf } from "../layout/manifest/manifest-file.ts";
import type { SceneFolder } from "./read-preview-scene.ts";

/** The folders to search for packages. */
export interface SearchOptions {
  /** Package folders and libraries of them; absolute, as `realRoot` returns them. */
  readonly roots: readonly string[];
  /** Absolute; folders inside it are shown relative to it. */
  readonly startFolder: string;
}

/** The real path of a folder to preview, for watching. The folder may not exist yet. */
export async function realRoot(folder: string): Promise<string> {
  try {
    return await realpath(folder);
  } catch {
    return resolve(folder);
  }
}

/** The folders to show by absolute path, in `findPackages`' order. Includes roots without a package. */
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
  return isInside(startFolder, folder) ? relative(startFolder, folder) || "." : folder;
}
