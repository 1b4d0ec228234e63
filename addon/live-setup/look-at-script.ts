import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { lstatIfAny, readTextIfAny } from "../disk/atomic-file.ts";
import {
  FOLDERS_FILE,
  hashOf,
  parseFolders,
  parseReceipt,
  type Receipt,
  RECEIPT_FILE,
  receiptOf,
  type ScriptFiles,
  versionOf,
} from "./script-files.ts";

/**
 * The state of the script: `old` is another version, or writes its port file into other folders; `changed` was
 * changed by hand; `foreign` is a folder of that name that Soundferry didn't make.
 */
export type ScriptState = "missing" | "old" | "changed" | "current" | "foreign";

/** The content of the script's place in a User Library. */
export interface InstalledScript {
  readonly state: ScriptState;
  readonly path: string;
  /** The script's version; null where there is no script, or it has no version. */
  readonly version: string | null;
  /** Names of Soundferry's files, including those of an earlier version. */
  readonly ours: readonly string[];
  /** Names of other people's files in the folder, sorted. */
  readonly others: readonly string[];
  /** The folders into which the script writes its port file. */
  readonly folders: readonly string[];
}

/** Returns the place in which Live looks for the script. The folder's name is the script's name in Live's menu. */
export function scriptPathIn(library: string): string {
  return join(library, "Remote Scripts", "Soundferry");
}

/**
 * Looks at the script in a User Library without changing it.
 * @param files of this version
 * @param folders into which the script must write its port file
 * @throws {Error} of the file system
 */
export async function lookAtScript(
  library: string,
  { files, folders }: { readonly files: ScriptFiles; readonly folders: readonly string[] },
): Promise<InstalledScript> {
  const path = scriptPathIn(library);
  const names = await namesIn(path);
  const nothing = { path, version: null, ours: [], others: [], folders: [] };
  if (names === "nothing" || (names !== "no folder" && names.length === 0)) {
    return { ...nothing, state: "missing" };
  }
  if (names === "no folder") return { ...nothing, state: "foreign" };
  const found = await readInstalled(path, names);
  const receipt = found.receipt ?? copiedByHand(found.files, files);
  if (receipt === undefined) return { ...nothing, state: "foreign", others: names };
  const isOurs = ownNameTest(receipt);
  return {
    state: stateOf(found, receipt, { files, folders }),
    path,
    version: receipt.version,
    ours: names.filter(isOurs),
    others: names.filter((name) => !isOurs(name)),
    folders: found.folders,
  };
}

interface FoundFiles {
  readonly files: ScriptFiles;
  readonly receipt: Receipt | undefined;
  readonly folders: readonly string[];
}

async function readInstalled(path: string, names: readonly string[]): Promise<FoundFiles> {
  const scripts = names.filter((name) => /^\w+\.py$/.test(name));
  const files = scripts.map(async (name) => [name, await readFile(join(path, name))] as const);
  return {
    files: new Map(await Promise.all(files)),
    receipt: parseReceipt((await readTextIfAny(join(path, RECEIPT_FILE))) ?? ""),
    folders: parseFolders((await readTextIfAny(join(path, FOLDERS_FILE))) ?? ""),
  };
}

function stateOf(
  found: FoundFiles,
  receipt: Receipt,
  wanted: { readonly files: ScriptFiles; readonly folders: readonly string[] },
): ScriptState {
  const isAsInstalled = [...receipt.hashes].every(([name, hash]) => {
    const bytes = found.files.get(name);
    return bytes !== undefined && hashOf(bytes) === hash;
  });
  if (!isAsInstalled) return "changed";
  const { version, hashes } = receiptOf(wanted.files);
  const isThisVersion =
    found.receipt?.version === version &&
    receipt.hashes.size === hashes.size &&
    [...hashes].every(([name, hash]) => receipt.hashes.get(name) === hash);
  const isMeeting = wanted.folders.every((folder) => found.folders.includes(folder));
  return isThisVersion && isMeeting ? "current" : "old";
}

/** Returns a receipt for files that a person copied from a release, by the names that this release has, too. */
function copiedByHand(found: ScriptFiles, files: ScriptFiles): Receipt | undefined {
  const version = versionOf(found);
  const start = new TextDecoder().decode(found.get("__init__.py"));
  if (version === undefined || !start.includes("Soundferry")) return undefined;
  const shared = [...found].filter(([name]) => files.has(name));
  return { version, hashes: new Map(shared.map(([name, bytes]) => [name, hashOf(bytes)])) };
}

/** Returns a function that checks whether a name belongs to the installation, or to Python's compiled form of it. */
function ownNameTest({ hashes }: Receipt): (name: string) => boolean {
  return (name) => {
    if (name === RECEIPT_FILE || name === FOLDERS_FILE || hashes.has(name)) return true;
    const compiled = /^(?:__pycache__\/)?(\w+)(?:\.[\w-]+)*\.pyc$/.exec(name);
    return compiled !== null && hashes.has(`${compiled[1]}.py`);
  };
}

/** Lists a folder's entries, with those in `__pycache__` as `__pycache__/name`, sorted. */
async function namesIn(path: string): Promise<readonly string[] | "nothing" | "no folder"> {
  const found = await lstatIfAny(path);
  if (found === undefined) return "nothing";
  if (!found.isDirectory()) return "no folder";
  const entries = await readdir(path, { withFileTypes: true });
  const names = entries.map(async (entry) => {
    if (entry.name !== "__pycache__" || !entry.isDirectory()) return [entry.name];
    return (await readdir(join(path, entry.name))).map((name) => `${entry.name}/${name}`);
  });
  return (await Promise.all(names)).flat().sort();
}
