import { join } from "node:path";
import { lockFile } from "../../../program/file-lock.ts";
import { named } from "../naming-trouble.ts";

/** The refusal of a folder that another running program uses. */
export class FolderInUseError extends Error {
  override readonly name = "FolderInUseError";
}

/**
 * Locks a data folder for this process.
 * @param advice what an operator can do about it
 * @throws {FolderInUseError} while another process holds it
 */
export function lockFolder(
  folder: string,
  advice = "Stop it, or set SOUNDFERRY_DATA to another folder.",
): Disposable {
  return lockOrRefuse(join(folder, "relay.lock"), `Another relay is using ${folder}. ${advice}`);
}

/** Locks a file for this process. @throws {FolderInUseError} with the sentence, while another process holds it */
export function lockOrRefuse(path: string, sentence: string): Disposable {
  let lock: Disposable | undefined;
  try {
    lock = lockFile(path);
  } catch (error) {
    throw named(error, path);
  }
  if (lock === undefined) throw new FolderInUseError(sentence);
  return lock;
}

/** The way in which a start waits for the lock. */
export interface LockWait {
  readonly waitMs: number;
  /** Signal that ends the wait. Its reason is thrown. */
  readonly signal?: AbortSignal | undefined;
  /** Called once if it has to wait. */
  readonly onWait?: () => void;
}

const TRY_AGAIN_MS = 20;

/**
 * Locks a data folder for this process as soon as its holder releases it (rule K11).
 * @throws {FolderInUseError} if that takes too long
 */
export async function lockFolderWithin(
  folder: string,
  { waitMs, signal, onWait }: LockWait,
): Promise<Disposable> {
  const endsAt = performance.now() + waitMs;
  for (let isFirst = true; ; isFirst = false) {
    signal?.throwIfAborted();
    try {
      return lockFolder(folder);
    } catch (error) {
      if (!(error instanceof FolderInUseError) || performance.now() >= endsAt) throw error;
    }
    if (isFirst) onWait?.();
    await new Promise((resolve) => setTimeout(resolve, TRY_AGAIN_MS));
  }
}
