import { appendFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { isJsonObject } from "../../core/text/json-object.ts";
import { parseJson } from "../../core/text/parse-json.ts";
import { makeDurableFolder, readTextIfAny, replaceFile, unlessMissing } from "./atomic-file.ts";
import { DiskError, formatMissingDrive } from "./disk-error.ts";

/** The list of an importer's sounds folders, in its data folder. */
export const KNOWN_FOLDERS_FILE = "sounds-folders.json";
/** A file in a sounds folder, so that the folder is never empty while its drive is there. */
const MARK = ".soundferry-sounds";

/**
 * Makes a sounds folder at its first use, and remembers it.
 * @param list the file that names the folders that were made before
 * @throws {DiskError} if one of them is missing or empty: its drive isn't there (rule F7)
 */
export async function makeKnownFolder(folder: string, list: string): Promise<void> {
  const known = await readKnown(list);
  if (known.includes(folder)) {
    if (await isAway(folder, list)) throw new DiskError(formatMissingDrive(folder));
    return;
  }
  await makeDurableFolder(folder);
  await appendFile(join(folder, MARK), "");
  replaceFile(list, JSON.stringify({ folders: [...known, folder] }));
}

/** Checks whether a folder that was made before is missing or empty now, as the place of an unplugged drive is. */
export async function isAway(folder: string, list: string): Promise<boolean> {
  if (!(await readKnown(list)).includes(folder)) return false;
  return (await unlessMissing(readdir(folder), [])).length === 0;
}

async function readKnown(list: string): Promise<readonly string[]> {
  const stored = parseJson((await readTextIfAny(list)) ?? "");
  const folders = isJsonObject(stored) ? stored["folders"] : undefined;
  return Array.isArray(folders) ? folders.filter((each) => typeof each === "string") : [];
}
