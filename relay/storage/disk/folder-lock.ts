import { chmodSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { isSqliteError } from "../sqlite-error.ts";

/** Another running relay uses the folder. */
export class FolderInUseError extends Error {
  override readonly name = "FolderInUseError";
}

/**
 * Locks a data folder for this process, with SQLite's lock on an empty database: the operating system
 * releases it however the process ends, so no stale lock is left.
 * @throws {FolderInUseError} while another process holds it
 */
export function lockFolder(folder: string): Disposable {
  const path = join(folder, "relay.lock");
  const database = new DatabaseSync(path);
  try {
    chmodSync(path, 0o600);
    database.exec("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE");
  } catch (error) {
    database.close();
    if (!isSqliteError(error, "busy")) throw error;
    throw new FolderInUseError(
      `Another relay is using ${folder}. Stop it, or set SOUNDFERRY_DATA to another folder.`,
      { cause: error },
    );
  }
  return { [Symbol.dispose]: () => database.close() };
}
