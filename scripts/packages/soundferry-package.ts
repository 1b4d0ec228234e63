import { copyFile, cp, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { buildLibrary } from "../build-package.ts";
import { publishedManifest } from "./published-manifest.ts";

const ROOT = join(import.meta.dirname, "../..");

/**
 * Writes the package `soundferry` without touching the checkout, which `npm pack` does.
 * @param folder absolute; emptied first
 */
export async function writeSoundferryPackage(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await buildLibrary(join(folder, "dist", "lib"));
  await cp(join(ROOT, "relay", "deploy"), join(folder, "relay", "deploy"), { recursive: true });
  for (const page of ["LICENSE", "README.md"]) await copyFile(join(ROOT, page), join(folder, page));
  const manifest = publishedManifest(await readFile(join(ROOT, "package.json"), "utf8"));
  await writeFile(join(folder, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
}
