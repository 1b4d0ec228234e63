import { basename, dirname, sep } from "node:path";
import { diskCodeOf } from "../../core/text/format-unreadable.ts";
import { fillSentence } from "../../core/text/sentence-of.ts";
import { FolderNotMadeError } from "../../program/make-folder.ts";

/** A file system error, with a sentence for people (rule F8). */
export class DiskError extends Error {
  override readonly name = "DiskError";
}

/**
 * Turns a file system error into a `DiskError`; returns other errors unchanged.
 * @param folder named instead of the folders in it
 */
export function toDiskError(error: unknown, folder?: string): unknown {
  if (error instanceof FolderNotMadeError) return new DiskError(error.message, { cause: error });
  if (!(error instanceof Error) || !("syscall" in error) || !("code" in error)) return error;
  const [path, target] = ["path", "dest"].map((name): unknown => Reflect.get(error, name));
  const place = folderOf(typeof path === "string" ? path : folder, folder);
  const sentence = TROUBLES[diskCodeOf(error)] ?? OTHER;
  const params = new Map([
    ["folder", place],
    ["file", String(target ?? path)],
  ]);
  return new DiskError(fillSentence(sentence, params), { cause: error });
}

/**
 * Calls `act` and returns its result.
 * @throws {DiskError} instead of a file system error
 */
export function orDiskError<Outcome>(act: () => Outcome): Outcome {
  try {
    return act();
  } catch (error) {
    throw toDiskError(error);
  }
}

/** Says that a folder's drive, on which it was before, isn't connected (rule F7). */
export function formatMissingDrive(folder: string): string {
  return `The drive with the sounds folder ${folder} isn't there. Plug it in, or choose another folder.`;
}

/** Returns the folder to name: the given one if the path is in it, else the path's, without temporary folders. */
function folderOf(path: string | undefined, folder: string | undefined): string {
  if (path === undefined) return "Soundferry's folder";
  if (folder !== undefined && isInside(path, folder)) return folder;
  const around = dirname(path);
  return basename(around).startsWith(".soundferry-") ? dirname(around) : around;
}

/** Checks whether an absolute path is a folder, or lies in it. */
export function isInside(path: string, folder: string): boolean {
  return `${path}${sep}`.startsWith(`${folder}${sep}`);
}

const FULL =
  "The disk with {folder} is full. Free some space and import again; downloaded sounds are kept.";
const READ_ONLY =
  "Soundferry can't save to {folder}: it is read-only, or Soundferry may not use it. Choose another folder in the settings.";
const MANY_FILES = "Too many files are open on this computer. Close a program and import again.";
const AWAY = "The drive with {folder} isn't there. Plug it in and import again.";
const OTHER =
  "The disk with {folder} reports an error. Check it, then import again; downloaded sounds are kept.";

const TROUBLES: Readonly<Record<string, string>> = {
  ENOSPC: FULL,
  EDQUOT: FULL,
  EACCES: READ_ONLY,
  EPERM: READ_ONLY,
  EROFS: READ_ONLY,
  EMFILE: MANY_FILES,
  ENFILE: MANY_FILES,
  ENOENT: AWAY,
  ENODEV: AWAY,
  ENXIO: AWAY,
  ENOTCONN: AWAY,
  EHOSTDOWN: AWAY,
  ESTALE: AWAY,
  ENAMETOOLONG:
    "A name in {folder} is too long for its disk. Choose a folder with a shorter path in the settings.",
  EDEADLK:
    "A file in {folder} is in iCloud and not on this Mac. Download the folder in the Finder, then import again.",
  EBUSY: "Another program uses a file in {folder}. Close it and import again.",
  EISDIR:
    "{file} is a folder, but Soundferry needs the name for a file. Rename it and import again.",
};
