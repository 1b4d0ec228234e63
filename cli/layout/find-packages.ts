import type { Eventual } from "../../core/eventual.ts";
import type { Dirent } from "node:fs";
import { join } from "node:path";
import { QUICK_DISK } from "../../addon/disk/disk-calls.ts";
import { MANIFEST_FILE } from "../../core/manifest/manifest.ts";
import { placeholderOf } from "../../addon/packages/local-package.ts";

/** Folders that never hold packages; `expected` has a package's goldens. */
const NOT_SEARCHED = new Set(["node_modules", "expected"]);
/** A manifest, or the placeholder of one that is only in iCloud (rule B8). */
const MANIFESTS = new Set([MANIFEST_FILE, placeholderOf(MANIFEST_FILE)]);
/** Made for the first comparison: it takes 20 ms, which a single package doesn't need. */
let natural: Intl.Collator | undefined;

/**
 * Finds the package folders at some paths (rule B1). A path with a manifest is a package; any other is a library
 * that is searched. Links are followed only if a path is one. A path without packages, or that can't be read, is
 * returned as it is, so that reading it as a package reports the problem.
 * @returns in the order of the paths, inside a library by path, numbers by value; without duplicates
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
  /** The folder as people know it: below the path that they gave. */
  readonly folder: string;
  readonly realPath: string;
}

async function findIn(path: string): Promise<readonly FoundPackage[]> {
  const realPath = await orUndefined(() => QUICK_DISK.realpath(path));
  const itself = { folder: path, realPath: realPath ?? path };
  const found = await search(itself);
  return found.length === 0 ? [itself] : found;
}

/** Searches a folder. Includes folders that can't be read, so that none is silently skipped. */
async function search(place: FoundPackage): Promise<readonly FoundPackage[]> {
  const entries = await orUndefined(() => QUICK_DISK.list(place.folder));
  if (entries === undefined || entries.some(isManifest)) return [place];
  const subfolders = entries
    .filter(isSearched)
    .map(({ name }) => name)
    .toSorted(compareNames)
    .map((name) => ({ folder: join(place.folder, name), realPath: join(place.realPath, name) }));
  return (await Promise.all(subfolders.map(search))).flat();
}

async function orUndefined<Found>(call: () => Eventual<Found>): Promise<Found | undefined> {
  try {
    return await call();
  } catch {
    return undefined;
  }
}

function isManifest(entry: Dirent): boolean {
  return MANIFESTS.has(entry.name) && !entry.isDirectory();
}

function isSearched(entry: Dirent): boolean {
  return entry.isDirectory() && !entry.name.startsWith(".") && !NOT_SEARCHED.has(entry.name);
}

/** Compares names in natural order, also those of the same number, such as `7` and `07`. */
function compareNames(one: string, other: string): number {
  natural ??= new Intl.Collator("en", { numeric: true });
  return natural.compare(one, other) || (one < other ? -1 : 1);
}
