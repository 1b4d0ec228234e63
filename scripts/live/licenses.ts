import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Metafile } from "esbuild";

const MODULES = fileURLToPath(new URL("../../node_modules", import.meta.url));

const IN_PACKAGE = /(?:^|\/)node_modules\/((?:@[^/]+\/)?[^/]+)/;

interface Described {
  readonly version: string;
  readonly license?: unknown;
  readonly author?: string | { readonly name: string };
}

/**
 * The licenses of npm packages, by the packages' names, each once. Where a package has no license file, it is what its
 * package.json says.
 * @throws {Error} if a package names no license either
 */
export async function formatLicenses(packages: readonly string[]): Promise<string> {
  const texts = [...new Set(packages)].sort().map(async (name) => {
    const folder = join(MODULES, name);
    const described: Described = JSON.parse(await readFile(join(folder, "package.json"), "utf8"));
    return `${name} ${described.version}\n\n${(await readLicense(folder)) ?? namedLicense(name, described)}`;
  });
  return `${(await Promise.all(texts)).join(`\n\n${"-".repeat(80)}\n\n`)}\n`;
}

/** Names the npm packages with code in a bundle. */
export function packagesIn({ inputs }: Pick<Metafile, "inputs">): readonly string[] {
  return [...new Set(Object.keys(inputs).flatMap((path) => IN_PACKAGE.exec(path)?.[1] ?? []))];
}

async function readLicense(folder: string): Promise<string | undefined> {
  const names = await readdir(folder);
  const found = names.sort().find((name) => /^licen[cs]e/i.test(name));
  if (found === undefined) return undefined;
  const text = await readFile(join(folder, found), "utf8");
  return text.replaceAll("\r\n", "\n").trim();
}

function namedLicense(name: string, { license, author }: Described): string {
  if (typeof license !== "string") throw new Error(`${name} names no license.`);
  const by = typeof author === "object" ? author.name : author;
  return `License: ${license}${by === undefined ? "" : `\nAuthor: ${by}`}\n(The package has no license file.)`;
}
