import { dirname, join } from "node:path";

const KEY = /^[\w-]+\/[\w-]+$/;
/** The suffix of an unfinished file. */
const PART = ".part";

export function isKey(key: string): boolean {
  return KEY.test(key);
}

/** The paths of a sound's files. */
export interface SoundPath {
  readonly key: string;
  /** The folder of all sounds. */
  readonly root: string;
  /** The folder of its package. */
  readonly folder: string;
  readonly finished: string;
  readonly part: string;
}

/**
 * Returns the paths of a sound's files.
 * @throws {Error} if the key is invalid: it could point to a file outside the store
 */
export function soundPath(root: string, key: string): SoundPath {
  if (!isKey(key)) throw new Error(`Not a key of a sound: ${key}`);
  const finished = join(root, key);
  return { key, root, folder: dirname(finished), finished, part: finished + PART };
}

/** The key of a finished or unfinished file; undefined for other files, such as those of the system. */
export function keyOfFile(folderName: string, fileName: string): string | undefined {
  const name = fileName.endsWith(PART) ? fileName.slice(0, -PART.length) : fileName;
  return keyOfFinished(folderName, name);
}

/** The key of a finished file; undefined for any other. */
export function keyOfFinished(folderName: string, fileName: string): string | undefined {
  const key = `${folderName}/${fileName}`;
  return isKey(key) ? key : undefined;
}
