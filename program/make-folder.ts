import { mkdirSync, statSync } from "node:fs";
import { mkdir, stat } from "node:fs/promises";
import { dirname, resolve } from "node:path";

/** Says in a few words why a file or folder can't be created or written to. */
export function formatReason(error: unknown): string {
  return REASONS[codeOf(error)] ?? "the system refuses it";
}

const REASONS: Readonly<Record<string, string>> = {
  EACCES: "this user may not write there",
  EDQUOT: "this user's space there is used up",
  EEXIST: "something else has that name",
  ENAMETOOLONG: "its name is too long",
  ENOSPC: "the disk is full",
  ENOTDIR: "a part of its path is a file",
  EPERM: "this user may not write there",
  EROFS: "the disk is read-only",
};

/** A folder can't be created. The message is a sentence with advice. */
export class FolderNotMadeError extends Error {
  override readonly name = "FolderNotMadeError";
  /** The system's code, such as `EACCES`. */
  readonly code: string;

  constructor(path: string, cause: unknown) {
    super(
      `Can't create the folder ${path}: ${formatReason(cause)}. Check the path and its permissions.`,
      { cause },
    );
    this.code = codeOf(cause);
  }
}

interface FolderOptions {
  /** Permissions of the folders that it creates: 0o777 less the process's mask unless given. */
  readonly mode?: number;
}

/**
 * Creates a folder and the folders that it lies in, as far as they don't exist. Unlike Node's recursive `mkdir`
 * it ends on file systems that take no folders: in `/proc`, for example, Node tries for ever.
 * @returns the outermost folder that it created; undefined if the folder existed
 * @throws {FolderNotMadeError}
 */
export async function makeFolder(
  path: string,
  options: FolderOptions = {},
): Promise<string | undefined> {
  const folder = resolve(path);
  try {
    return await makeOne(folder, options);
  } catch (error) {
    if (!mayLackParent(folder, error)) throw new FolderNotMadeError(folder, error);
  }
  const outermost = await makeFolder(dirname(folder), options);
  try {
    const made = await makeOne(folder, options);
    return outermost ?? made;
  } catch (error) {
    throw new FolderNotMadeError(folder, error);
  }
}

/** Does the same as `makeFolder`, for code that must not wait. */
export function makeFolderSync(path: string, options: FolderOptions = {}): string | undefined {
  const folder = resolve(path);
  try {
    return makeOneSync(folder, options);
  } catch (error) {
    if (!mayLackParent(folder, error)) throw new FolderNotMadeError(folder, error);
  }
  const outermost = makeFolderSync(dirname(folder), options);
  try {
    const made = makeOneSync(folder, options);
    return outermost ?? made;
  } catch (error) {
    throw new FolderNotMadeError(folder, error);
  }
}

/** Creates a folder in an existing one; returns undefined if the folder exists. */
async function makeOne(folder: string, { mode }: FolderOptions): Promise<string | undefined> {
  try {
    await mkdir(folder, mode);
    return folder;
  } catch (error) {
    if (!mayExist(error) || !(await stat(folder)).isDirectory()) throw error;
    return undefined;
  }
}

function makeOneSync(folder: string, { mode }: FolderOptions): string | undefined {
  try {
    mkdirSync(folder, mode);
    return folder;
  } catch (error) {
    if (!mayExist(error) || !statSync(folder).isDirectory()) throw error;
    return undefined;
  }
}

/** Checks whether a folder may exist. Systems disagree on the code, such as for the root of a drive. */
function mayExist(error: unknown): boolean {
  return ["EEXIST", "EISDIR", "EPERM", "EACCES", "EROFS"].includes(codeOf(error));
}

function mayLackParent(folder: string, error: unknown): boolean {
  return codeOf(error) === "ENOENT" && dirname(folder) !== folder;
}

/** Returns an error's code. In Live's extensions, Node's errors are not instances of this context's `Error`. */
export function codeOf(error: unknown): string {
  const hasCode = typeof error === "object" && error !== null && "code" in error;
  return hasCode ? String(error.code) : "unknown";
}
