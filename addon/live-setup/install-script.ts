import { cp, mkdir, open, rename, rm, rmdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { flushFolder } from "../../program/flush-folder.ts";
import { hasCode, isMissing, lstatIfAny } from "../disk/atomic-file.ts";
import {
  type InstalledScript,
  lookAtScript,
  scriptPathIn,
  type ScriptState,
} from "./look-at-script.ts";
import {
  FOLDERS_FILE,
  formatFolders,
  formatReceipt,
  RECEIPT_FILE,
  receiptOf,
  type ScriptFiles,
} from "./script-files.ts";
import { isFolder } from "./find-library.ts";
import { withScriptErrors, ScriptError } from "./script-error.ts";

interface InstallRequest {
  /** Live's User Library, an existing folder. */
  readonly library: string;
  readonly files: ScriptFiles;
  /** The absolute folders into which the script writes its port file. */
  readonly folders: readonly string[];
  /** Called before each change on the disk, for tests that stop there. */
  readonly onStep?: (step: string) => void;
}

export interface Installation {
  readonly path: string;
  readonly version: string;
  /** The state of the script before. */
  readonly was: ScriptState;
  /** Names of other people's files that stayed in the folder. */
  readonly kept: readonly string[];
}

/**
 * Copies the script into the User Library. The whole folder is prepared beside the script's place and then moved
 * there at once: if this stops in the middle, the next call repairs the rest.
 * @throws {ScriptError} with a sentence
 */
export function installScript(request: InstallRequest): Promise<Installation> {
  return withScriptErrors(async () => {
    const { library, files, onStep = () => {} } = request;
    const place = scriptPathIn(library);
    const root = dirname(place);
    onStep("make Remote Scripts");
    await makeFolder(root);
    onStep("clear an earlier attempt");
    await clearStaging(place);
    const before = await lookAtScript(library, request);
    refuseOthersPlace(before, files);
    const receipt = receiptOf(files);
    const folders = [...new Set([...request.folders, ...before.folders])];
    const contents = new Map<string, Uint8Array | string>([
      ...files,
      [FOLDERS_FILE, formatFolders(folders)],
      [RECEIPT_FILE, formatReceipt(receipt)],
    ]);
    onStep("make the new folder");
    await mkdir(newFolderIn(root));
    await writeAll(newFolderIn(root), contents, onStep);
    await copyOthers(before, newFolderIn(root), onStep);
    await takePlace(place, onStep);
    return { path: place, version: receipt.version, was: before.state, kept: before.others };
  });
}

/** Creates one level: `recursive` never returns where the system refuses new folders with ENOENT. */
async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path);
  } catch (error) {
    if (!(await isFolder(path))) throw error;
  }
}

/**
 * Makes sure that no file of a person is replaced.
 * @throws {ScriptError} if one would be
 */
function refuseOthersPlace({ state, path, others }: InstalledScript, files: ScriptFiles): void {
  if (state === "foreign") throw new ScriptError(foreignSentence(path));
  const inTheWay = others.filter((name) => files.has(name));
  if (inTheWay.length === 0) return;
  throw new ScriptError(
    `${path} has other files with names that Soundferry needs: ${inTheWay.join(", ")}. Move them away and try again.`,
  );
}

function foreignSentence(path: string): string {
  return `${path} wasn't made by Soundferry, or is a link. Move it away and try again.`;
}

async function writeAll(
  folder: string,
  contents: ReadonlyMap<string, Uint8Array | string>,
  onStep: (step: string) => void,
): Promise<void> {
  for (const [name, content] of contents) {
    onStep(`write ${name}`);
    const file = await open(join(folder, name), "wx");
    try {
      await file.writeFile(content);
      await file.datasync();
    } finally {
      await file.close();
    }
  }
}

/** Copies other people's files, so that the old folder can be removed as a whole. */
async function copyOthers(
  { path, others }: InstalledScript,
  folder: string,
  onStep: (step: string) => void,
): Promise<void> {
  for (const name of others) {
    onStep(`copy ${name}`);
    await cp(join(path, name), join(folder, name), {
      recursive: true,
      verbatimSymlinks: true,
      preserveTimestamps: true,
    });
  }
  await flushFolder(folder);
}

async function takePlace(place: string, onStep: (step: string) => void): Promise<void> {
  const root = dirname(place);
  onStep("move the old folder aside");
  const isReplacing = await moveAside(place);
  onStep("put the new folder in its place");
  try {
    await rename(newFolderIn(root), place);
  } catch (error) {
    if (isReplacing) await rename(oldFolderIn(root), place);
    throw error;
  }
  await flushFolder(root);
  onStep("remove the old folder");
  await clearStaging(place);
}

export interface Removal {
  readonly path: string;
  /** False if there was nothing to remove. */
  readonly isRemoved: boolean;
  /** Names of other people's files, which stay with their folder. */
  readonly kept: readonly string[];
}

/**
 * Removes the files that `installScript` put into the User Library, even after they were changed, and Python's
 * compiled forms of them. If it stops in the middle, the next call finishes it.
 * @throws {ScriptError} with a sentence
 */
export function uninstallScript(library: string, files: ScriptFiles): Promise<Removal> {
  return withScriptErrors(async () => {
    const path = scriptPathIn(library);
    await clearStaging(path);
    const { state, ours, others } = await lookAtScript(library, { files, folders: [] });
    if (state === "missing") return { path, isRemoved: false, kept: [] };
    if (state === "foreign") throw new ScriptError(foreignSentence(path));
    // The receipt is removed last: without it, the remaining files would count as another person's.
    const inOrder = [...ours.filter((name) => name !== RECEIPT_FILE), RECEIPT_FILE];
    for (const name of inOrder) await rm(join(path, name), { force: true });
    for (const folder of new Set(inOrder.map((name) => dirname(join(path, name))))) {
      if (folder !== path) await removeIfEmpty(folder);
    }
    await removeIfEmpty(path);
    return { path, isRemoved: true, kept: others };
  });
}

async function removeIfEmpty(folder: string): Promise<void> {
  try {
    await rmdir(folder);
  } catch (error) {
    if (!hasCode(error, "ENOENT", "ENOTEMPTY", "EEXIST")) throw error;
  }
}

// Folders beside the script exist while it is replaced. Python can't import a name with a dot.

function newFolderIn(root: string): string {
  return join(root, ".soundferry-new");
}

function oldFolderIn(root: string): string {
  return join(root, ".soundferry-old");
}

/** Moves the folder in the script's place aside; returns false if there is none. */
async function moveAside(place: string): Promise<boolean> {
  try {
    await rename(place, oldFolderIn(dirname(place)));
    return true;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}

/**
 * Removes the folders that an installation left beside the script. An installation that stopped between its two
 * renames has the old script aside and none in its place: then the old one is put back.
 */
async function clearStaging(place: string): Promise<void> {
  const root = dirname(place);
  const old = oldFolderIn(root);
  if ((await lstatIfAny(old)) && !(await lstatIfAny(place))) await rename(old, place);
  for (const folder of [old, newFolderIn(root)]) await rm(folder, { recursive: true, force: true });
}
