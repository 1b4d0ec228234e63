import { existsSync, renameSync } from "node:fs";
import { join } from "node:path";
import { type AdoptableStores, type Adoption, adoptStores } from "../domain/upkeep/adopt-stores.ts";
import { foundSounds } from "../domain/upkeep/bind-stores.ts";
import { judgeInstance } from "../domain/upkeep/judge-instance.ts";
import { DiskSoundStore } from "../storage/disk/disk-sound-store.ts";
import { lockFolder } from "../storage/disk/folder-lock.ts";
import { flushFolderSync } from "../../program/flush-folder.ts";
import { findDatabase } from "../storage/sqlite/find-database.ts";
import { DATABASE_FILE } from "../storage/sqlite/open-database.ts";
import { SqliteDatabase } from "../storage/sqlite/sqlite-database.ts";
import { openSystemClock, systemRandomBytes } from "../storage/system.ts";
import { nameOfBackup } from "./backup-folders.ts";
import { openDatabase, openSounds, type StoreSettings } from "./open-operated.ts";

export interface FolderAdoption extends Adoption {
  /** The new names of the files of a missing database that were in the way of the new one. */
  readonly setAside: readonly string[];
}

/**
 * Adopts a relay's sounds into its records, wherever they are (rule Z1). No relay may use them meanwhile.
 * @returns undefined if a relay can start on them as they are
 */
export async function adoptRelay(settings: StoreSettings): Promise<FolderAdoption | undefined> {
  const { databaseUrl } = settings;
  if (databaseUrl === undefined) {
    if (settings.s3Bucket === undefined) return adoptFolder(settings.dataFolder);
    throw new Error(
      "Adopting works on SQLite with sounds on the disk, and on PostgreSQL. Set SOUNDFERRY_DATABASE_URL, too.",
    );
  }
  await using sounds = await openSounds(settings);
  await using database = await openDatabase({ ...settings, databaseUrl });
  return await adopt(database, { sounds, clock: database.clock });
}

/**
 * Adopts the sounds of a data folder into its database, and creates the database if it is missing: see `adoptStores`.
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
  const clock = await openSystemClock(database.upkeep, { proofMs: 0 });
  return await adopt(database, { sounds, clock }, setAside);
}

async function adopt(
  { packages, soundKeys, upkeep }: Pick<AdoptableStores, "packages" | "soundKeys" | "upkeep">,
  stores: Pick<AdoptableStores, "sounds" | "clock">,
  setAside: readonly string[] = [],
): Promise<FolderAdoption | undefined> {
  const randomBytes = systemRandomBytes;
  const adoption = await adoptStores({ packages, soundKeys, upkeep, randomBytes, ...stores });
  return adoption && { ...adoption, setAside };
}

/** Renames the log of a missing database, which SQLite would delete. The database may only have been moved. */
function setLogAside(folder: string): readonly string[] {
  const ending = `.before-adopt-${nameOfBackup(Date.now())}`;
  const names = ["-wal", "-shm", "-journal"].map((suffix) => DATABASE_FILE + suffix);
  const found = names.filter((name) => existsSync(join(folder, name)));
  for (const name of found) renameSync(join(folder, name), join(folder, name + ending));
  if (found.length > 0) flushFolderSync(folder);
  return found.map((name) => name + ending);
}
