import { mkdir, realpath, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join, sep } from "node:path";
import { isMissing } from "../../addon/disk/atomic-file.ts";
import { LocalPackageError } from "../../addon/packages/local-package-error.ts";
import { openPlainFile, readText } from "../../addon/packages/local-package.ts";

/**
 * Reads a golden with `\n` line ends; undefined if there is none.
 * @param folder the package's, without symbolic links
 * @throws {LocalPackageError} if it can't be read, or is outside the package (rule B2)
 */
export async function readGoldenFile(folder: string, name: string): Promise<string | undefined> {
  const path = await realPathIfAny(join(folder, name)).catch((cause: unknown) => {
    throw new LocalPackageError(`${name} can't be read.`, { cause });
  });
  if (path === undefined) return undefined;
  assertInside(folder, path, name);
  const text = await readText(await openPlainFile(path, name), name);
  return text.replaceAll("\r\n", "\n");
}

/**
 * Writes a golden atomically. Replaces a link, never writes through it (rule B2).
 * @param folder the package's, without symbolic links
 * @throws {LocalPackageError} if it can't be written
 */
export async function writeGoldenFile(folder: string, name: string, text: string): Promise<void> {
  const path = join(folder, name);
  const unfinished = `${path}.new`;
  try {
    await mkdir(dirname(path), { recursive: true });
    assertInside(folder, await realpath(dirname(path)), name);
    await rm(unfinished, { force: true });
    // `wx` creates the file, so it is no link either.
    await writeFile(unfinished, text, { flag: "wx" });
    await rename(unfinished, path);
  } catch (cause) {
    if (cause instanceof LocalPackageError) throw cause;
    await rm(unfinished, { force: true }).catch(() => undefined);
    throw new LocalPackageError(`${name} can't be written.`, { cause });
  }
}

async function realPathIfAny(path: string): Promise<string | undefined> {
  try {
    return await realpath(path);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

function assertInside(folder: string, path: string, name: string): void {
  if (path.startsWith(folder + sep)) return;
  throw new LocalPackageError(`${name} is outside the package's folder.`);
}
