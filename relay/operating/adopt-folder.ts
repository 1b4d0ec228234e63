import { existsSync, renameSync } from "node:fs";
import { join } from "node:path";
import { judgeInstance } from "../domain/upkeep/judge-instance.ts";
import { type Adoption, adoptStores } from "../domain/upkeep/adopt-stores.ts";
import { foundSounds } from "../domain/upkeep/bind-stores.ts";
import { DiskSoundStore } from "../storage/disk/disk-sound-store.ts";
import { lockFolder } from "../storage/disk/folder-lock.ts";
import { nameOfBackup } from "./backup-folders.ts";
import { flushFolderNow } from "../storage/flush-folder.ts";
import { findDatabase } from "../storage/sqlite/find-database.ts";
import { DATABASE_FILE } from "../storage/sqlite/open-database.ts";
import { SqliteDatabase } from "../storage/sqlite/sqlite-database.ts";
import { openSystemClock, systemRandomBytes } from "../storage/system.ts";

export interface FolderAdoption extends Adoption {
  /** The new names of the files of a missing database that were in the way of the new one. */
  readonly setAside: readonly string[];
}

/**
 * Adopts the sounds of a data folder into its database, and creates that if it is missing: see `adoptStores`.
 * @returns undefined if a relay can start on the folder as it is
 * @throws {FolderInUseError} while a relay uses the folder
 */
export async function adoptFolder(folder: string): Promise<FolderAdoption | undefined> {
  using _lock = lockFolder(folder, "Stop it first.");
  const sounds = await DiskSoundStore.open(folder);
  const found = findDatabase(folder);
  if (judgeInstance(found, await foundSounds({ sounds })).kind !== "refuse") return undefined;
  const setAside = found === undefined ? setLogAside(folder) : [];
  await using database = await SqliteDatabase.open(folder);
  const { packages, soundKeys, upkeep } = database;
  const clock = await openSystemClock(upkeep, { proofMs: 0 });
  const stores = { packages, soundKeys, upkeep, sounds, clock, randomBytes: systemRandomBytes };
  const adoption = await adoptStores(stores);
  return adoption && { ...adoption, setAside };
}

/** SQLite deletes a log that it finds beside a new database. It may be of one that was only moved away. */
function setLogAside(folder: string): readonly string[] {
  const ending = `.before-adopt-${nameOfBackup(Date.now())}`;
  const names = ["-wal", "-shm", "-journal"].map((suffix) => DATABASE_FILE + suffix);
  const found = names.filter((name) => existsSync(join(folder, name)));
  for (const name of found) renameSync(join(folder, name), join(folder, name + ending));
  if (found.length > 0) flushFolderNow(folder);
  return found.map((name) => name + ending);
}
