import { lstat, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { isMissing } from "../disk/atomic-file.ts";

// Folders beside the script while it is replaced. Python can't import a name with a dot.

export function newFolderIn(root: string): string {
  return join(root, ".soundferry-new");
}

export function oldFolderIn(root: string): string {
  return join(root, ".soundferry-old");
}

/** Moves what is in the script's place aside; returns false if nothing is there. */
export async function moveAside(place: string): Promise<boolean> {
  try {
    await rename(place, oldFolderIn(dirname(place)));
    return true;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}

/**
 * Removes what an installation left beside the script. One that stopped between its two renames has the
 * old script aside and none in its place: then the old one is put back.
 */
export async function clearStaging(place: string): Promise<void> {
  const root = dirname(place);
  const old = oldFolderIn(root);
  if ((await isThere(old)) && !(await isThere(place))) await rename(old, place);
  for (const folder of [old, newFolderIn(root)]) await rm(folder, { recursive: true, force: true });
}

async function isThere(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}
