import { createHash } from "node:crypto";
import { listOwnFiles, readOwnFile } from "../../program/own-files.ts";
import { isJsonObject } from "../../core/text/json-object.ts";
import { parseJson } from "../../core/text/parse-json.ts";

/** The script's files by name, such as `surface.py`. */
export type ScriptFiles = ReadonlyMap<string, Uint8Array>;

const FOLDER = "addon/hosts/live/remote-script/Soundferry";

/**
 * Reads the control surface's own files, which `soundferry live install` copies. Only this function knows where
 * they come from.
 */
export async function readScriptFiles(): Promise<ScriptFiles> {
  const names = (await listOwnFiles(FOLDER)).filter((name) => name.endsWith(".py"));
  const files = names.map(async (name) => [name, await readOwnFile(`${FOLDER}/${name}`)] as const);
  return new Map(await Promise.all(files));
}

/** Returns the version in the script's `version.py`; undefined where there is none. */
export function versionOf(files: ScriptFiles): string | undefined {
  const text = new TextDecoder().decode(files.get("version.py"));
  return /^VERSION = "(\d+\.\d+\.\d+)"\s*$/m.exec(text)?.[1];
}

/** The file beside the script that lists the installed files. */
export const RECEIPT_FILE = "installed.json";
/** The file beside the script with the folders for its port file. Part of docs/use/live.md. */
export const FOLDERS_FILE = "folders.json";

/** The record of an installation. */
export interface Receipt {
  readonly version: string;
  /** The files' SHA-256 in hex, by file name. */
  readonly hashes: ReadonlyMap<string, string>;
}

/**
 * Builds the receipt for files.
 * @throws {Error} if they have no version
 */
export function receiptOf(files: ScriptFiles): Receipt {
  const version = versionOf(files);
  if (version === undefined) throw new Error("The control surface's version.py has no version.");
  return { version, hashes: new Map([...files].map(([name, bytes]) => [name, hashOf(bytes)])) };
}

export function hashOf(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

export function formatReceipt({ version, hashes }: Receipt): string {
  return formatJson({ soundferry: version, files: Object.fromEntries(hashes) });
}

/** Parses a receipt; returns undefined for anything else. */
export function parseReceipt(text: string): Receipt | undefined {
  const value = parseJson(text);
  if (!isJsonObject(value) || !isJsonObject(value["files"])) return undefined;
  const { soundferry: version, files } = value;
  const entries = Object.entries(files).flatMap(([name, hash]) =>
    isScriptName(name) && typeof hash === "string" ? [[name, hash] as const] : [],
  );
  return typeof version === "string" ? { version, hashes: new Map(entries) } : undefined;
}

export function formatFolders(folders: readonly string[]): string {
  return formatJson({ folders });
}

/** Returns the folders in a `folders.json`; empty for anything else. */
export function parseFolders(text: string): readonly string[] {
  const value = parseJson(text);
  const folders: unknown = isJsonObject(value) ? value["folders"] : undefined;
  return Array.isArray(folders) ? folders.filter((folder) => typeof folder === "string") : [];
}

/** Checks whether a name is a script's: prevents path traversal through a manipulated receipt. */
function isScriptName(name: string): boolean {
  return /^\w+\.py$/.test(name);
}

function formatJson(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
