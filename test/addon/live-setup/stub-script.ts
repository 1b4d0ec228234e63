import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { ScriptFiles } from "../../../addon/live-setup/script-files.ts";
import { VERSION } from "../../../core/version.ts";
import { temporaryFolder } from "../temporary-folder.ts";

/** A small script of some version, with more files by name. */
export function stubScript(
  version = VERSION,
  more: Readonly<Record<string, string>> = {},
): ScriptFiles {
  const texts = {
    "__init__.py": '"""Soundferry\'s control surface."""\n',
    "surface.py": `# of ${version}\n`,
    "version.py": `VERSION = "${version}"\nPROTOCOL = 1\n`,
    ...more,
  };
  return new Map(Object.entries(texts).map(([name, text]) => [name, Buffer.from(text)]));
}

/** A User Library with its `Remote Scripts/Soundferry`, which doesn't exist yet. */
export async function userLibrary() {
  const library = join(await temporaryFolder(), "User Library");
  await mkdir(library);
  const root = join(library, "Remote Scripts");
  return { library, root, place: join(root, "Soundferry") };
}

/** Reads all files below a folder, by their path from there; empty where there is no folder. */
export async function contentsOf(folder: string): Promise<Readonly<Record<string, string>>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const files = entries
    .filter((entry) => entry.isFile())
    .map(async ({ parentPath, name }) => {
      const path = join(parentPath, name);
      return [path.slice(folder.length + 1), await readFile(path, "utf8")] as const;
    });
  const byName = (one: readonly string[], other: readonly string[]) =>
    `${one[0]}` < `${other[0]}` ? -1 : 1;
  return Object.fromEntries((await Promise.all(files)).sort(byName));
}

/** Writes files, by name, into a folder that it makes. */
export async function writeFiles(
  folder: string,
  files: ScriptFiles | Readonly<Record<string, string>>,
): Promise<void> {
  await mkdir(folder, { recursive: true });
  const entries = files instanceof Map ? [...files] : Object.entries(files);
  for (const [name, content] of entries) await writeFile(join(folder, name), content);
}

/** A script's texts, by name. */
export function textsOf(files: ScriptFiles): Readonly<Record<string, string>> {
  const decoder = new TextDecoder();
  return Object.fromEntries([...files].map(([name, bytes]) => [name, decoder.decode(bytes)]));
}
