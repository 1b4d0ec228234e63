import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { extract } from "tar";
import { sentenceOf } from "../../core/text/sentence-of.ts";
import { runNpm } from "../run-npm.ts";

const ROOT = join(import.meta.dirname, "../..");
const MODULES = join(ROOT, "node_modules");
const CACHE = join(MODULES, ".cache", "node-packages");

/** The entry of a package in package-lock.json. */
interface Pinned {
  readonly version: string;
  readonly integrity: string;
}

/**
 * Returns the folder of a package with Node: the installed one, or one that npm downloads for another system. It is
 * checked against package-lock.json and kept for the next build.
 * @throws {Error} with a sentence if npm can't get it, or gets something else
 */
export async function openNodePackage(name: string): Promise<string> {
  const pinned = await readPinned(name);
  const installed = join(MODULES, name);
  if (existsSync(join(installed, "package.json"))) return installed;
  const folder = join(CACHE, `${name}-${pinned.version}`);
  if (existsSync(folder)) return folder;
  await mkdir(CACHE, { recursive: true });
  const work = await mkdtemp(`${folder}.`);
  try {
    await extract({ file: await download(name, pinned, work), cwd: work, filter: isWanted });
    await rename(join(work, "package"), folder);
  } finally {
    await rm(work, { recursive: true });
  }
  return folder;
}

/** The packages also hold headers and npm. */
function isWanted(path: string): boolean {
  return /^package\/(bin\/node(\.exe)?|LICENSE|package\.json)$/.test(path);
}

async function readPinned(name: string): Promise<Pinned> {
  const { packages } = JSON.parse(await readFile(join(ROOT, "package-lock.json"), "utf8"));
  return packages[`node_modules/${name}`];
}

/** Returns the downloaded file. */
async function download(name: string, { version, integrity }: Pinned, to: string): Promise<string> {
  await pack(`${name}@${version}`, to);
  const file = join(to, `${name}-${version}.tgz`);
  if (!isIntact(await readFile(file), integrity)) {
    throw new Error(
      `What npm downloaded as ${name} ${version} is not what package-lock.json pins.`,
    );
  }
  return file;
}

/** @param integrity as in package-lock.json: a hash's name, a hyphen, and the hash in Base64 */
export function isIntact(bytes: Uint8Array, integrity: string): boolean {
  const [algorithm = ""] = integrity.split("-", 1);
  return integrity === `${algorithm}-${createHash(algorithm).update(bytes).digest("base64")}`;
}

/** Has npm write a package's file into a folder. */
async function pack(wanted: string, to: string): Promise<void> {
  try {
    await runNpm(["pack", wanted, "--prefer-offline", "--pack-destination", to], to);
  } catch (error) {
    const [reason] = sentenceOf(error).split("\n");
    throw new Error(`npm can't download ${wanted}. (${reason})`, { cause: error });
  }
}
