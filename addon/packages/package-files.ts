import { constants, type FileHandle, lstat, open, realpath, stat } from "node:fs/promises";
import { basename, join, sep } from "node:path";
import { MAX_JSON_BYTES } from "../../core/limits.ts";
import { JSON_SIZE } from "../../core/text/format-limit.ts";
import { isMissing } from "../disk/atomic-file.ts";
import { LocalPackageError } from "./local-package-error.ts";

/** A file that is open for reading; whoever has it closes it. */
export interface OpenFile {
  readonly file: FileHandle;
  /** When it was opened. */
  readonly sizeBytes: number;
  /** Another text as soon as the file was written to or replaced. */
  readonly fingerprint: string;
}

/** A file that is there, not opened yet. */
export interface FoundFile {
  /** Its real path. */
  readonly path: string;
  readonly sizeBytes: number;
}

/**
 * Finds a file of the folder; a link that leads out of the folder is refused.
 * @param folder without symbolic links
 * @throws {LocalPackageError} when it is not there, or lies outside the folder
 */
export async function findInside(folder: string, name: string): Promise<FoundFile> {
  const path = join(folder, name);
  const itself = await asked(name, () => lstat(path));
  // What is a file itself, and no link, lies where its name says; mostly nothing more need be asked.
  if (isPlainName(name) && itself.isFile()) return { path, sizeBytes: itself.size };
  const real = await asked(name, () => realpath(path));
  if (!isPlainName(name) || !real.startsWith(folder + sep)) {
    throw new LocalPackageError(`${name} is outside the package's folder.`);
  }
  return { path: real, sizeBytes: (await asked(name, () => stat(real))).size };
}

function isPlainName(name: string): boolean {
  return basename(name) === name;
}

/**
 * Opens a file of the folder as `findInside` finds it: at once where that can follow no link.
 * @throws {LocalPackageError} when it is not there, is no file, or lies outside the folder
 */
export async function openInside(folder: string, name: string): Promise<OpenFile> {
  if (constants.O_NOFOLLOW !== undefined && isPlainName(name)) {
    const opened = await openPlainFile(join(folder, name), name).catch(() => undefined);
    if (opened !== undefined) return opened;
  }
  return openPlainFile((await findInside(folder, name)).path, name);
}

/**
 * Opens a file, without waiting where it is a pipe and, where the system can, following no link.
 * @param name stands for it in errors
 * @throws {LocalPackageError} when it can't be opened, or is no file
 */
export async function openPlainFile(path: string, name: string): Promise<OpenFile> {
  const flags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0);
  const file = await asked(name, () => open(path, flags));
  const found = await file.stat();
  if (found.isFile()) {
    // Unlike the time of the last edit, that of the last change can't be set by who copies.
    const fingerprint = `${found.size} ${found.ctimeMs} ${found.ino}`;
    return { file, sizeBytes: found.size, fingerprint };
  }
  await file.close();
  throw new LocalPackageError(`${name} is not a file.`);
}

async function asked<Answer>(name: string, ask: () => Promise<Answer>): Promise<Answer> {
  try {
    return await ask();
  } catch (error) {
    const sentence = isMissing(error)
      ? `${name} is not in the package's folder.`
      : `${name} can't be read.`;
    throw new LocalPackageError(sentence, { cause: error });
  }
}

/**
 * Reads a text file of at most `MAX_JSON_BYTES` to its end, without the mark that some editors begin it with,
 * and closes it.
 * @throws {LocalPackageError} when it is larger, or can't be read
 */
export async function readText({ file, sizeBytes }: OpenFile, name: string): Promise<string> {
  try {
    if (sizeBytes > MAX_JSON_BYTES) {
      throw new LocalPackageError(`${name} is too large. The limit is ${JSON_SIZE}.`);
    }
    const text = await asked(name, () => file.readFile("utf8"));
    return text.replace(/^\uFEFF/, "");
  } finally {
    await file.close();
  }
}
