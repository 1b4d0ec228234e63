import { chmodSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { isSqliteError } from "../error-codes.ts";

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
  return lockFile(join(folder, "relay.lock"), `Another relay is using ${folder}. ${advice}`);
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

/**
 * Holds a lock by means of SQLite's lock on an empty database. The operating system releases it however the process
 * ends, so no stale lock is left.
 * @throws {FolderInUseError} with the sentence, while another process holds it
 */
export function lockFile(path: string, sentence: string): Disposable {
  const database = new DatabaseSync(path);
  try {
    chmodSync(path, 0o600);
    // A journal file would need room, and nothing is ever written.
    database.exec("PRAGMA journal_mode = MEMORY; PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE");
  } catch (error) {
    database.close();
    if (!isSqliteError(error, "busy")) throw error;
    throw new FolderInUseError(sentence, { cause: error });
  }
  return { [Symbol.dispose]: () => database.close() };
}
