import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { PROJECT_ENDING } from "../../core/dawproject/dawproject-name.ts";
import { MANIFEST_FILE } from "../../core/manifest/manifest.ts";
import type { PanelKeptFiles } from "../../core/protocol/panel-api.ts";
import { lstatIfAny, unfinishedPath } from "./atomic-file.ts";
import { isOwnName, readMarker } from "./folder-marker.ts";
import { isPackageFolderName, listFolders, removeIfEmpty } from "./package-folders.ts";
import { partPathOf } from "./part-file.ts";
import { removeAboutPackage, writtenNames } from "./written-files.ts";

/** Adds up the sizes of the files that markers list. No import may run meanwhile. */
export async function measureKeptFiles(soundsFolder: string): Promise<PanelKeptFiles> {
  let bytes = 0;
  let clearableBytes = 0;
  for (const { files, about } of await listPackageFolders(soundsFolder)) {
    const isWhole = files.every(({ isPlayed }) => !isPlayed);
    for (const file of [...files, ...about]) {
      bytes += file.bytes;
      if (about.includes(file) ? isWhole : !file.isPlayed) clearableBytes += file.bytes;
    }
  }
  return { bytes, clearableBytes };
}

/**
 * Deletes the files that no host plays, with the last one those that the importer wrote about the package, and the
 * folders that this empties. A file that another program holds open may stay. No import may run meanwhile.
 */
export async function clearKeptFiles(soundsFolder: string): Promise<void> {
  for (const { path, files } of await listPackageFolders(soundsFolder)) {
    const clearable = files.filter(({ isPlayed }) => !isPlayed);
    const outcomes = await Promise.allSettled(clearable.map((file) => rm(file.path)));
    const isCleared = outcomes.every(({ status }) => status === "fulfilled");
    if (isCleared && clearable.length === files.length) await removeAboutPackage(path);
    await removeIfEmpty(path);
  }
}

/** Checks for a temporary file of what is written beside the sounds (rules D7, F10). */
function isUnfinished(name: string): boolean {
  return name === unfinishedPath(MANIFEST_FILE) || name.endsWith(unfinishedPath(PROJECT_ENDING));
}

interface KeptFile {
  readonly path: string;
  readonly bytes: number;
  readonly isPlayed: boolean;
}

interface KeptFolder {
  readonly path: string;
  /** The sounds, copies of them and what is left of unfinished files. */
  readonly files: readonly KeptFile[];
  /** The files that the importer wrote about the package. */
  readonly about: readonly KeptFile[];
}

/** Lists folders with a marker; doesn't follow links (rule F4). */
async function listPackageFolders(soundsFolder: string): Promise<readonly KeptFolder[]> {
  const folders: KeptFolder[] = [];
  for (const path of (await listFolders(soundsFolder)).filter(isPackageFolderName)) {
    const marker = await readMarker(path);
    if (marker === undefined) continue;
    const about = writtenNames(marker);
    const [files, written]: [KeptFile[], KeptFile[]] = [[], []];
    for (const name of (await readdir(path)).filter(isUnfinished)) {
      files.push(...(await measure(join(path, name), false)));
    }
    for (const name of [...marker.fileNames].filter(isOwnName)) {
      const file = join(path, name);
      const isPlayed = marker.playedNames.has(name);
      files.push(...(await measure(file, isPlayed)), ...(await measure(partPathOf(file), false)));
    }
    for (const name of about) written.push(...(await measure(join(path, name), false)));
    folders.push({ path, files, about: written });
  }
  return folders;
}

async function measure(path: string, isPlayed: boolean): Promise<readonly KeptFile[]> {
  const found = await lstatIfAny(path);
  return found?.isFile() === true ? [{ path, bytes: found.size, isPlayed }] : [];
}
