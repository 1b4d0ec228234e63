import { dirname } from "node:path";
import { codeOf } from "../error-code.ts";
import { isFile, type SoundFiles } from "./sound-files.ts";

/** How often to create a folder that is removed while something goes into it. */
const MOST_TRIES = 100;

/**
 * Acts in a folder, which is created if need be. Others may remove it while it is empty; then it is created
 * again.
 */
export async function inFolder<Result>(
  files: SoundFiles,
  folder: string,
  act: () => Promise<Result>,
): Promise<Result> {
  for (let tries = 1; ; tries += 1) {
    try {
      await files.mkdir(folder, { recursive: true, mode: 0o700 });
      return await act();
    } catch (error) {
      if (codeOf(error) !== "ENOENT" || tries === MOST_TRIES) throw error;
    }
  }
}

/** Renames a file into a folder that may not exist yet. False if there is no such file. */
export async function moveFile(files: SoundFiles, from: string, to: string): Promise<boolean> {
  if (!(await isFile(files, from))) return false;
  return inFolder(files, dirname(to), async () => {
    try {
      await files.rename(from, to);
      return true;
    } catch (error) {
      if (codeOf(error) !== "ENOENT" || (await isFile(files, from))) throw error;
      return false;
    }
  });
}
