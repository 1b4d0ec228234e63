import { existsSync } from "node:fs";
import { makeFolder } from "../../../program/make-folder.ts";
import { DiskSoundStore } from "../../storage/disk/disk-sound-store.ts";
import { lockFolder } from "../../storage/disk/folder-lock.ts";
import { type MovedMark, readMovedMark, writeMovedMark } from "../../storage/disk/moved-mark.ts";
import { readDatabaseMark, writeDatabaseMark } from "../../storage/postgres/moved-database.ts";
import { SqliteDatabase } from "../../storage/sqlite/sqlite-database.ts";
import { checkRelay, type CheckResult, checkStores } from "../check.ts";
import {
  openDatabase,
  opening,
  openRecords,
  openSounds,
  type OperatedStores,
  type StoreSettings,
} from "../open-operated.ts";

/** The records and the sounds of a relay that moves, at one place. */
export interface MoveStores extends OperatedStores {
  /** The place, for sentences. */
  readonly place: string;
}

/** The stores that a relay leaves. They stay as they are, but for a mark that keeps relays from starting on them. */
export interface MoveSource extends MoveStores {
  /** Does what `relay check` does. */
  check(isRepairing: boolean): Promise<CheckResult>;
  readMark(): Promise<MovedMark | undefined>;
  /** Writes the mark, or takes it back. */
  writeMark(mark: MovedMark | undefined): Promise<void>;
}

/**
 * Opens the stores that a relay leaves. A data folder is locked.
 * @throws {FolderInUseError} while a relay uses its folder
 * @throws {Error} a sentence if there are no records, or if another version wrote them
 */
export function openSource(
  settings: StoreSettings,
  place: string,
): Promise<MoveSource & AsyncDisposable> {
  const { dataFolder, databaseUrl } = settings;
  return opening(async (closing): Promise<MoveSource> => {
    if (usesFolder(settings)) {
      if (!existsSync(dataFolder)) throw new Error(`There is no data folder at ${dataFolder}.`);
      closing.use(lockFolder(dataFolder, "Stop it first."));
    }
    const records = closing.use(await openRecords(settings, { mayWrite: true }));
    const stores = { place, records, sounds: closing.use(await openSounds(settings)) };
    const { engine } = records;
    const isInFolder = databaseUrl === undefined;
    return {
      ...stores,
      check: (isRepairing) =>
        isInFolder
          ? checkRelay({ dataFolder }, { isRepairing })
          : checkStores(stores, { isRepairing }),
      readMark: async () => (isInFolder ? readMovedMark(dataFolder) : readDatabaseMark(engine)),
      writeMark: async (mark) =>
        isInFolder ? writeMovedMark(dataFolder, mark) : writeDatabaseMark(engine, mark),
    };
  });
}

/**
 * Opens the stores that a relay goes to. A data folder is locked, and made if it isn't there.
 * @throws {FolderInUseError} while a relay uses its folder
 */
export function openTarget(
  settings: StoreSettings,
  place: string,
): Promise<MoveStores & AsyncDisposable> {
  const { dataFolder, databaseUrl, s3Bucket } = settings;
  return opening(async (closing) => {
    if (usesFolder(settings)) {
      await makeFolder(dataFolder, { mode: 0o700 });
      closing.use(lockFolder(dataFolder, "Choose an empty folder."));
      if (s3Bucket === undefined) await DiskSoundStore.open(dataFolder);
    }
    const records =
      databaseUrl === undefined
        ? closing.use(await SqliteDatabase.open(dataFolder))
        : closing.use(await openDatabase({ ...settings, databaseUrl }));
    return { place, records, sounds: closing.use(await openSounds(settings)) };
  });
}

function usesFolder({ databaseUrl, s3Bucket }: StoreSettings): boolean {
  return databaseUrl === undefined || s3Bucket === undefined;
}
