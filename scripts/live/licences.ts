import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const MODULES = fileURLToPath(new URL("../../node_modules", import.meta.url));

/**
 * The licences of npm packages, by the packages' names, each once.
 * @throws {Error} if a package has no licence file
 */
export async function formatLicences(packages: readonly string[]): Promise<string> {
  const texts = [...new Set(packages)].sort().map(async (name) => {
    const folder = join(MODULES, name);
    const { version } = JSON.parse(await readFile(join(folder, "package.json"), "utf8"));
    return `${name} ${version}\n\n${await readLicence(folder)}`;
  });
  return `${(await Promise.all(texts)).join(`\n\n${"-".repeat(80)}\n\n`)}\n`;
}

async function readLicence(folder: string): Promise<string> {
  const names = await readdir(folder);
  const found = names.sort().find((name) => /^licen[cs]e/i.test(name));
  if (found === undefined) throw new Error(`${folder} has no licence file.`);
  const text = await readFile(join(folder, found), "utf8");
  return text.replaceAll("\r\n", "\n").trim();
}
