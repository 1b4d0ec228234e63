import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

/** The folder belongs to a relay that runs. */
export class FolderInUseError extends Error {
  override readonly name = "FolderInUseError";
}

/**
 * Holds a data folder for this process. The lock is SQLite's own lock on an empty database: the
 * operating system lets go of it however the process ends, so that none is ever left behind.
 * @throws {FolderInUseError} while another process holds it
 */
export function lockFolder(folder: string): Disposable {
  const database = new DatabaseSync(join(folder, "relay.lock"));
  try {
    database.exec("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE");
  } catch (error) {
    database.close();
    throw new FolderInUseError(
      `Another relay runs on ${folder}. Stop it, or give this one a folder of its own (SOUNDFERRY_DATA).`,
      { cause: error },
    );
  }
  return { [Symbol.dispose]: () => database.close() };
}
