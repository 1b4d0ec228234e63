import { cp, mkdir, open, rename } from "node:fs/promises";
import { dirname, join } from "node:path";
import { flushFolder } from "../disk/atomic-file.ts";
import {
  type InstalledScript,
  lookAtScript,
  scriptPathIn,
  type ScriptState,
} from "./look-at-script.ts";
import { FOLDERS_FILE, formatFolders, formatReceipt, RECEIPT_FILE, receiptOf } from "./receipt.ts";
import { isFolder } from "./is-folder.ts";
import { inSentences, ScriptError } from "./script-error.ts";
import type { ScriptFiles } from "./script-files.ts";
import { clearStaging, moveAside, newFolderIn, oldFolderIn } from "./staging.ts";

export interface InstallRequest {
  /** Live's User Library, an existing folder. */
  readonly library: string;
  readonly files: ScriptFiles;
  /** Absolute folders into which the script writes where it listens. */
  readonly folders: readonly string[];
  /** Called before each change on the disk, for tests that stop there. */
  readonly onStep?: (step: string) => void;
}

export interface Installation {
  readonly path: string;
  readonly version: string;
  /** What was there before. */
  readonly was: ScriptState;
  /** Names of other people's files that stayed in the folder. */
  readonly kept: readonly string[];
}

/**
 * Copies the script into the User Library. The whole folder is prepared beside the script's place and takes
 * it at once: if this stops in the middle, the next call puts right what is left.
 * @throws {ScriptError} with a sentence
 */
export function installScript(request: InstallRequest): Promise<Installation> {
  return inSentences(async () => {
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

/** Makes one level: `recursive` never returns where the system refuses new folders with ENOENT. */
async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path);
  } catch (error) {
    if (!(await isFolder(path))) throw error;
  }
}

/** @throws {ScriptError} if a person's own files would be replaced */
function refuseOthersPlace({ state, path, others }: InstalledScript, files: ScriptFiles): void {
  if (state === "foreign") throw new ScriptError(foreignSentence(path));
  const inTheWay = others.filter((name) => files.has(name));
  if (inTheWay.length === 0) return;
  throw new ScriptError(
    `${path} has other files with names that Soundferry needs: ${inTheWay.join(", ")}. Move them away and try again.`,
  );
}

export function foreignSentence(path: string): string {
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
