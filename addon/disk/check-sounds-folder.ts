import { readdir, realpath, stat } from "node:fs/promises";
import { basename, isAbsolute, join } from "node:path";
import { MAX_PACKAGE_BYTES } from "../../core/limits.ts";
import { PACKAGE_SIZE } from "../../core/text/format-limit.ts";
import { freeBytesAt, nearestExisting, tryWriting } from "../../program/try-folder.ts";
import { unlessMissing } from "./atomic-file.ts";
import { DiskError, formatMissingDrive, isInside, toDiskError } from "./disk-error.ts";
import { expandHome } from "./home-path.ts";
import { isAway, makeKnownFolder, SOUNDS_MARK } from "./known-folders.ts";

interface ChosenFolderOptions {
  readonly home: string;
  /** Folders in which no sounds may lie, such as the importer's data folder. */
  readonly otherFolders: readonly string[];
  /** The file that remembers sounds folders (rule F7). */
  readonly knownFolders: string;
  /** Room for the largest package by default; replaced in tests. */
  readonly neededBytes?: number | undefined;
}

/** The name of the folder that is made in a chosen folder with other things in it. */
const OWN_NAME = "Soundferry";

/**
 * Makes the sounds folder that a person chose, and checks it by writing into it (rule F9).
 * @param text an absolute path, or one that begins with `~`
 * @returns the folder; it is in the chosen folder if that has other things in it
 * @throws {DiskError} with a sentence, if it can't be used
 */
export async function makeChosenFolder(
  text: string,
  options: ChosenFolderOptions,
): Promise<string> {
  const { home, otherFolders, knownFolders, neededBytes = MAX_PACKAGE_BYTES } = options;
  // Windows copies paths in quotes.
  const typed = text.trim().replace(/^"(.+)"$/, "$1");
  const isWhole = isAbsolute(typed) || /^~(?:$|[/\\])/.test(typed);
  if (!isWhole || typed.includes("\0")) {
    throw new DiskError("Enter the folder's whole path, from the disk or from ~ on.");
  }
  const chosen = expandHome(typed, home);
  if (await isAway(chosen, knownFolders)) throw new DiskError(formatMissingDrive(chosen));
  try {
    const place = await nearestExisting(chosen);
    if (!(await stat(place)).isDirectory()) throw new DiskError(`${place} isn't a folder.`);
    for (const other of otherFolders) {
      if (isInside(await realpath(place), await unlessMissing(realpath(other), other))) {
        throw new DiskError(
          `Soundferry uses ${other} for something else. Choose another folder for the sounds.`,
        );
      }
    }
    await tryWriting(place);
    const freeBytes = await freeBytesAt(place);
    if (freeBytes !== undefined && freeBytes < neededBytes) {
      throw new DiskError(
        `The disk with ${chosen} is nearly full: a package may need ${PACKAGE_SIZE}. Free some space, or choose a folder on another disk.`,
      );
    }
    const folder = (await isForSounds(chosen)) ? chosen : join(chosen, OWN_NAME);
    await makeKnownFolder(folder, knownFolders);
    await tryWriting(folder);
    return folder;
  } catch (error) {
    throw toDiskError(error, chosen);
  }
}

/** Checks whether sounds can lie in the folder itself: it shows nothing else, or had sounds before. */
async function isForSounds(folder: string): Promise<boolean> {
  if (basename(folder) === OWN_NAME) return true;
  const names: readonly string[] = await unlessMissing(readdir(folder), []);
  return names.includes(SOUNDS_MARK) || names.every((name) => /^\.|^desktop\.ini$/i.test(name));
}
