import { FolderNotMadeError } from "../../program/make-folder.ts";

/** A file system error, with a sentence for people. */
export class DiskError extends Error {
  override readonly name = "DiskError";
}

/** Turns a file system error into a `DiskError`; returns other errors unchanged. */
export function toDiskError(error: unknown): unknown {
  if (error instanceof FolderNotMadeError) return new DiskError(error.message, { cause: error });
  if (!(error instanceof Error) || !("syscall" in error) || !("code" in error)) return error;
  const place = "path" in error && typeof error.path === "string" ? error.path : "a folder";
  return new DiskError(sentenceFor(String(error.code), place), { cause: error });
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

function sentenceFor(code: string, place: string): string {
  switch (code) {
    case "ENOSPC":
    case "EDQUOT":
      return "The disk is full. Free some space and import again; downloaded sounds are kept.";
    case "EACCES":
    case "EPERM":
    case "EROFS":
      return `Soundferry can't write to ${place}. Choose another folder in the settings.`;
    case "EMFILE":
    case "ENFILE":
      return "Too many files are open on this computer. Close a program and import again.";
    default:
      return `Disk error at ${place} (${code}). Import again; downloaded sounds are kept.`;
  }
}
