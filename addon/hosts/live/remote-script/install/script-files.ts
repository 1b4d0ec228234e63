import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

/** The script's files by name, such as `surface.py`. */
export type ScriptFiles = ReadonlyMap<string, Uint8Array>;

/** Beside this file, in a checkout as in the published package. */
const FOLDER = join(import.meta.dirname, "..", "Soundferry");

/**
 * Reads the control surface's own files, which `soundferry live install` copies. The only place that knows
 * where they come from.
 */
export async function readScriptFiles(folder = FOLDER): Promise<ScriptFiles> {
  const names = (await readdir(folder)).filter((name) => name.endsWith(".py")).sort();
  const files = names.map(async (name) => [name, await readFile(join(folder, name))] as const);
  return new Map(await Promise.all(files));
}

/** Returns the version in the script's `version.py`; undefined where there is none. */
export function versionOf(files: ScriptFiles): string | undefined {
  const text = new TextDecoder().decode(files.get("version.py"));
  return /^VERSION = "(\d+\.\d+\.\d+)"\s*$/m.exec(text)?.[1];
}
