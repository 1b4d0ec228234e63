import type { Dirent } from "node:fs";
import { readdir, realpath } from "node:fs/promises";
import { join } from "node:path";
import { MANIFEST_FILE } from "../../addon/packages/local-package.ts";

/** Folders in which nobody keeps packages; `expected` has a package's goldens. */
const NOT_SEARCHED = new Set(["node_modules", "expected"]);
const NATURAL = new Intl.Collator("en", { numeric: true });

/**
 * The package folders that some paths name (rule B1). A path with a manifest is a package; any other
 * is a library, and every package beneath it is found. Links are followed only where a path is one.
 * A path with no package in it, or that can't be read, stands for itself: whoever reads it as a
 * package finds out why it is none.
 * @returns in the order of the paths, beneath a library by path, numbers by size; none twice
 */
export async function findPackages(paths: readonly string[]): Promise<readonly string[]> {
  const found = await Promise.all(paths.map(findIn));
  const byRealPath = new Map<string, string>();
  for (const { folder, realPath } of found.flat()) {
    if (!byRealPath.has(realPath)) byRealPath.set(realPath, folder);
  }
  return [...byRealPath.values()];
}

interface FoundPackage {
  /** As people know it: the path that they gave, and the way from there. */
  readonly folder: string;
  readonly realPath: string;
}

async function findIn(path: string): Promise<readonly FoundPackage[]> {
  const itself = { folder: path, realPath: await realpath(path).catch(() => path) };
  const found = await search(itself);
  return found.length === 0 ? [itself] : found;
}

/** A folder that can't be read is found as well, so that nothing is passed over in silence. */
async function search(place: FoundPackage): Promise<readonly FoundPackage[]> {
  const entries = await readdir(place.folder, { withFileTypes: true }).catch(() => undefined);
  if (entries === undefined || entries.some(isManifest)) return [place];
  const beneath = entries
    .filter(isSearched)
    .map(({ name }) => name)
    .toSorted(compareNames)
    .map((name) => ({ folder: join(place.folder, name), realPath: join(place.realPath, name) }));
  return (await Promise.all(beneath.map(search))).flat();
}

function isManifest(entry: Dirent): boolean {
  return entry.name === MANIFEST_FILE && !entry.isDirectory();
}

function isSearched(entry: Dirent): boolean {
  return entry.isDirectory() && !entry.name.startsWith(".") && !NOT_SEARCHED.has(entry.name);
}

/** Names that count as the same number, such as `7` and `07`, have one order as well. */
function compareNames(one: string, other: string): number {
  return NATURAL.compare(one, other) || (one < other ? -1 : 1);
}
