import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { Failure, WrongUse } from "../../fail.ts";

/**
 * The WAV files of files and folders, in the order given; a folder's in the natural order of their names,
 * those of its folders too.
 * @throws {Failure | WrongUse} if a path is missing or is neither
 */
export async function findSounds(paths: readonly string[]): Promise<readonly string[]> {
  const found = await Promise.all(paths.map(soundsAt));
  return found.flat();
}

async function soundsAt(path: string): Promise<readonly string[]> {
  const entry = await stat(path).catch((cause: unknown) => {
    throw new Failure(`${path} can't be found.`, { cause });
  });
  if (!entry.isDirectory()) {
    if (isWav(path)) return [path];
    throw new WrongUse(`${path} is not a WAV file.`);
  }
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  const sounds = entries
    .filter((each) => each.isFile() && isWav(each.name) && !each.name.startsWith("."))
    .map(({ parentPath, name }) => join(parentPath, name))
    .toSorted(inNaturalOrder);
  if (sounds.length === 0) throw new Failure(`${path} has no WAV files.`);
  return sounds;
}

/** Whether a path ends as a WAV's does. */
export function isWav(path: string): boolean {
  return /\.wav$/i.test(path);
}

/** `kick 2` before `kick 10`. */
export function inNaturalOrder(one: string, other: string): number {
  return one.localeCompare(other, "en", { numeric: true });
}
