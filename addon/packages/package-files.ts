import { constants, type FileHandle, lstat, open, realpath, stat } from "node:fs/promises";
import { basename, join, sep } from "node:path";
import { MAX_JSON_BYTES } from "../../core/limits.ts";
import { JSON_SIZE } from "../../core/text/format-limit.ts";
import { isMissing } from "../disk/atomic-file.ts";
import { LocalPackageError } from "./local-package-error.ts";

/** A file open for reading; the caller closes it. */
export interface OpenFile {
  readonly file: FileHandle;
  /** The size at opening. */
  readonly sizeBytes: number;
  /** Changes when the file is written to or replaced. */
  readonly fingerprint: string;
}

export interface FoundFile {
  /** The real path. */
  readonly path: string;
  readonly sizeBytes: number;
}

/**
 * Finds a file in a folder; prevents path traversal, also through links.
 * @param folder without symbolic links
 * @throws {LocalPackageError} when it is missing or outside the folder
 */
export async function findInside(folder: string, name: string): Promise<FoundFile> {
  const path = join(folder, name);
  const found = await inWords(name, () => lstat(path));
  // The usual case: a regular file directly in the folder can't lead outside.
  if (isPlainName(name) && found.isFile()) return { path, sizeBytes: found.size };
  const real = await inWords(name, () => realpath(path));
  if (!isPlainName(name) || !real.startsWith(folder + sep)) {
    throw new LocalPackageError(`${name} is outside the package's folder.`);
  }
  return { path: real, sizeBytes: (await inWords(name, () => stat(real))).size };
}

function isPlainName(name: string): boolean {
  return basename(name) === name;
}

/**
 * Opens a file that `findInside` accepts; a plain file takes one system call where `O_NOFOLLOW` exists.
 * @throws {LocalPackageError} when it is missing, not a regular file, or outside the folder
 */
export async function openInside(folder: string, name: string): Promise<OpenFile> {
  if (constants.O_NOFOLLOW !== undefined && isPlainName(name)) {
    const opened = await openPlainFile(join(folder, name), name).catch(() => undefined);
    if (opened !== undefined) return opened;
  }
  return openPlainFile((await findInside(folder, name)).path, name);
}

/**
 * Opens a regular file. Doesn't block on a pipe and, where the system can, doesn't follow links.
 * @param name the file's name in errors
 * @throws {LocalPackageError} when it can't be opened or isn't a regular file
 */
export async function openPlainFile(path: string, name: string): Promise<OpenFile> {
  const flags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0);
  const file = await inWords(name, () => open(path, flags));
  const found = await file.stat();
  if (found.isFile()) {
    // A copying program can set mtime, but not ctime.
    const fingerprint = `${found.size} ${found.ctimeMs} ${found.ino}`;
    return { file, sizeBytes: found.size, fingerprint };
  }
  await file.close();
  throw new LocalPackageError(`${name} is not a file.`);
}

async function inWords<Answer>(name: string, call: () => Promise<Answer>): Promise<Answer> {
  try {
    return await call();
  } catch (error) {
    const sentence = isMissing(error)
      ? `${name} is not in the package's folder.`
      : `${name} can't be read.`;
    throw new LocalPackageError(sentence, { cause: error });
  }
}

/**
 * Reads a text file of at most `MAX_JSON_BYTES`, strips its byte order mark and closes it.
 * @throws {LocalPackageError} when it is larger or can't be read
 */
export async function readText({ file, sizeBytes }: OpenFile, name: string): Promise<string> {
  try {
    if (sizeBytes > MAX_JSON_BYTES) {
      throw new LocalPackageError(`${name} is too large. The limit is ${JSON_SIZE}.`);
    }
    const text = await inWords(name, () => file.readFile("utf8"));
    return text.replace(/^\uFEFF/, "");
  } finally {
    await file.close();
  }
}
