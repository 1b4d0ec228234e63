import { appendFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { isJsonObject } from "../../core/text/json-object.ts";
import { parseJson } from "../../core/text/parse-json.ts";
import { flushFolder } from "../../program/flush-folder.ts";
import {
  lstatIfAny,
  makeDurableFolder,
  readTextIfAny,
  replaceFile,
  unlessMissing,
} from "./atomic-file.ts";
import { DiskError, formatMissingDrive } from "./disk-error.ts";
import { libraryAround } from "./sounds-place.ts";

/** The list of an importer's sounds folders, in its data folder. */
export const KNOWN_FOLDERS_FILE = "sounds-folders.json";
/** A file in a sounds folder, so that the folder is never empty while its drive is there. */
export const SOUNDS_MARK = ".soundferry-sounds";

/**
 * Makes a sounds folder at its first use, and remembers it.
 * @param list the file that names the folders that were made before
 * @throws {DiskError} if it is missing or empty although it was made before, or if it belongs into a User Library that is
 *   missing: its drive isn't there (rule F7)
 */
export async function makeKnownFolder(folder: string, list: string): Promise<void> {
  const known = await readKnown(list);
  const isKnown = known.includes(folder);
  if (isKnown && !(await isEmpty(folder))) return;
  const library = libraryAround(folder);
  const isThere = isKnown
    ? !(await isAway(folder, list))
    : library === undefined || (await lstatIfAny(library)) !== undefined;
  if (!isThere) throw new DiskError(formatMissingDrive(folder));
  await makeDurableFolder(folder);
  await appendFile(join(folder, SOUNDS_MARK), "");
  // Remembered without its mark, an empty folder would seem to be on an unplugged drive.
  await flushFolder(folder);
  if (!isKnown) replaceFile(list, JSON.stringify({ folders: [...known, folder] }));
}

/**
 * Checks whether a folder that was made before is missing or empty now, as the place of an unplugged drive is. In a User
 * Library that is there, somebody deleted it.
 */
export async function isAway(folder: string, list: string): Promise<boolean> {
  if (!(await readKnown(list)).includes(folder)) return false;
  const library = libraryAround(folder);
  return (await isEmpty(folder)) && (library === undefined || (await isEmpty(library)));
}

async function isEmpty(folder: string): Promise<boolean> {
  return (await unlessMissing(readdir(folder), [])).length === 0;
}

async function readKnown(list: string): Promise<readonly string[]> {
  const stored = parseJson((await readTextIfAny(list)) ?? "");
  const folders = isJsonObject(stored) ? stored["folders"] : undefined;
  return Array.isArray(folders) ? folders.filter((each) => typeof each === "string") : [];
}
