import { listOwnFiles, readOwnFile } from "../../program/own-files.ts";

/** The script's files by name, such as `surface.py`. */
export type ScriptFiles = ReadonlyMap<string, Uint8Array>;

const FOLDER = "addon/hosts/live/remote-script/Soundferry";

/**
 * Reads the control surface's own files, which `soundferry live install` copies. The only place that knows
 * where they come from.
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
