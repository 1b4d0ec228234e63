import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { PanelKeptFiles } from "../../core/protocol/panel-api.ts";
import { lstatIfAny } from "./atomic-file.ts";
import { isOwnName, readMarker } from "./folder-marker.ts";
import { isPackageFolderName, listFolders, removeIfEmpty } from "./package-folders.ts";
import { partPathOf } from "./part-file.ts";

/** Adds up the sizes of the files that markers list. No import may run meanwhile. */
export async function measureKeptFiles(soundsFolder: string): Promise<PanelKeptFiles> {
  let bytes = 0;
  let clearableBytes = 0;
  for (const file of (await listPackageFolders(soundsFolder)).flatMap(({ files }) => files)) {
    bytes += file.bytes;
    if (!file.isPlayed) clearableBytes += file.bytes;
  }
  return { bytes, clearableBytes };
}

/**
 * Deletes the files that no host plays, and the folders that this empties; a file that another program
 * holds open may stay. No import may run meanwhile.
 */
export async function clearKeptFiles(soundsFolder: string): Promise<void> {
  for (const { path, files } of await listPackageFolders(soundsFolder)) {
    const clearable = files.filter(({ isPlayed }) => !isPlayed);
    await Promise.allSettled(clearable.map((file) => rm(file.path)));
    await removeIfEmpty(path);
  }
}

/** The temporary file of an interrupted DAWproject host (rule D7); a finished file belongs to the user. */
const UNFINISHED_PROJECT = /\.dawproject\.new$/;

interface KeptFile {
  readonly path: string;
  readonly bytes: number;
  readonly isPlayed: boolean;
}

/** Lists folders with a marker; doesn't follow links (rule F4). */
async function listPackageFolders(
  soundsFolder: string,
): Promise<readonly { readonly path: string; readonly files: readonly KeptFile[] }[]> {
  const folders = [];
  for (const path of (await listFolders(soundsFolder)).filter(isPackageFolderName)) {
    const marker = await readMarker(path);
    if (marker === undefined) continue;
    const files: KeptFile[] = [];
    for (const name of (await readdir(path)).filter((each) => UNFINISHED_PROJECT.test(each))) {
      files.push(...(await measure(join(path, name), false)));
    }
    for (const name of [...marker.fileNames].filter(isOwnName)) {
      const file = join(path, name);
      const isPlayed = marker.playedNames.has(name);
      files.push(...(await measure(file, isPlayed)), ...(await measure(partPathOf(file), false)));
    }
    folders.push({ path, files });
  }
  return folders;
}

async function measure(path: string, isPlayed: boolean): Promise<readonly KeptFile[]> {
  const found = await lstatIfAny(path);
  return found?.isFile() === true ? [{ path, bytes: found.size, isPlayed }] : [];
}
