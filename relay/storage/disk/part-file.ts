import { codeOf } from "../error-code.ts";
import { isFile, type SoundFile, type SoundFiles, unlessMissing } from "./sound-files.ts";
import { inFolder } from "./moving.ts";
import type { SoundPath } from "./sound-path.ts";

/** The unfinished file of a sound, open for writing. */
export interface PartFile {
  readonly file: SoundFile;
  readonly storedBytes: number;
}

/** Creates the unfinished file of a sound; undefined if its key is in use, also by another process. */
export async function createPart(
  files: SoundFiles,
  path: SoundPath,
): Promise<PartFile | undefined> {
  const file = await createExclusively(files, path);
  if (file === undefined) return undefined;
  const part = await unlessFinished(files, path, { file, countBytes: async () => 0 });
  if (part === undefined) await files.unlink(path.part);
  return part;
}

/** Opens the unfinished file of a sound; undefined if there is none. */
export async function openPart(files: SoundFiles, path: SoundPath): Promise<PartFile | undefined> {
  const file = await unlessMissing(() => files.open(path.part, "r+"));
  if (file === undefined) return undefined;
  return unlessFinished(files, path, { file, countBytes: async () => (await file.stat()).size });
}

/** Undefined if the file exists. */
async function createExclusively(
  files: SoundFiles,
  { folder, part }: SoundPath,
): Promise<SoundFile | undefined> {
  return inFolder(files, folder, async () => {
    try {
      return await files.open(part, "wx", 0o600);
    } catch (error) {
      if (codeOf(error) !== "EEXIST") throw error;
      return undefined;
    }
  });
}

/**
 * Undefined, and the file closed, if its sound is finished. Only after the unfinished file is open the answer
 * is certain: until then its last writer may have been about to rename it.
 */
async function unlessFinished(
  files: SoundFiles,
  path: SoundPath,
  opened: { readonly file: SoundFile; readonly countBytes: () => Promise<number> },
): Promise<PartFile | undefined> {
  const { file, countBytes } = opened;
  let part: PartFile | undefined;
  try {
    const isFinished = await isFile(files, path.finished);
    if (!isFinished) part = { file, storedBytes: await countBytes() };
    return part;
  } finally {
    if (part === undefined) await file.close();
  }
}
