import { createHash } from "node:crypto";
import { isJsonObject } from "../../core/text/json-object.ts";
import { parseJson } from "../../core/text/parse-json.ts";
import { type ScriptFiles, versionOf } from "./script-files.ts";

/** Beside the script: what `install` put there. */
export const RECEIPT_FILE = "installed.json";
/** Beside the script: the folders into which it writes where it listens. Part of the contract in docs/use/live.md. */
export const FOLDERS_FILE = "folders.json";

/** What an installation consists of. */
export interface Receipt {
  readonly version: string;
  /** SHA-256 in hex, by file name. */
  readonly hashes: ReadonlyMap<string, string>;
}

/** @throws {Error} if the files have no version */
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

/** Returns undefined for anything else than a receipt. */
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

/** Prevents path traversal through a manipulated receipt. */
function isScriptName(name: string): boolean {
  return /^\w+\.py$/.test(name);
}

function formatJson(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
