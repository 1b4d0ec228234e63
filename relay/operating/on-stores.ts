import { type Adoption, adoptStores } from "../domain/upkeep/adopt-stores.ts";
import { systemRandomBytes } from "../storage/system.ts";
import { adoptFolder, type FolderAdoption } from "./adopt-folder.ts";
import { check, type CheckResult, type CheckTask, checkStores } from "./check.ts";
import {
  openDatabase,
  type OperatedSounds,
  openSounds,
  type StoreSettings,
} from "./open-operated.ts";

/**
 * Checks a relay's records and sounds, wherever its settings say that they are (rule Z9).
 * @throws {Error} a sentence if there is nothing to check
 */
export async function checkRelay(settings: StoreSettings, task: CheckTask): Promise<CheckResult> {
  const { dataFolder, databaseUrl } = settings;
  return withSounds(settings, async (sounds) => {
    if (databaseUrl === undefined) return check({ ...task, dataFolder, sounds });
    await using database = await openDatabase({ ...settings, databaseUrl });
    const { packages, soundKeys, upkeep } = database;
    return await checkStores({ packages, soundKeys, upkeep, sounds }, task);
  });
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
  return withSounds(settings, async (sounds) => {
    await using database = await openDatabase({ ...settings, databaseUrl });
    const { packages, soundKeys, upkeep, clock } = database;
    const stores = { packages, soundKeys, upkeep, clock, sounds, randomBytes: systemRandomBytes };
    const adoption: Adoption | undefined = await adoptStores(stores);
    return adoption && { ...adoption, setAside: [] };
  });
}

async function withSounds<Result>(
  settings: StoreSettings,
  act: (sounds: OperatedSounds) => Promise<Result>,
): Promise<Result> {
  const sounds = await openSounds(settings);
  try {
    return await act(sounds);
  } finally {
    await sounds[Symbol.asyncDispose]?.();
  }
}
