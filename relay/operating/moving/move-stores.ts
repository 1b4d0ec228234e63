import { existsSync } from "node:fs";
import { makeFolder } from "../../../program/make-folder.ts";
import { DiskSoundStore } from "../../storage/disk/disk-sound-store.ts";
import { lockFolder } from "../../storage/disk/folder-lock.ts";
import { type MovedMark, readMovedMark, writeMovedMark } from "../../storage/disk/moved-mark.ts";
import { readDatabaseMark, writeDatabaseMark } from "../../storage/postgres/moved-database.ts";
import { SqliteDatabase } from "../../storage/sqlite/sqlite-database.ts";
import { check, type CheckResult, checkStores } from "../check.ts";
import {
  openDatabase,
  type OperatedRecords,
  type OperatedSounds,
  openRecords,
  openSounds,
  type StoreSettings,
} from "../open-operated.ts";

/** The records and the sounds of a relay that moves, at one place. */
export interface MoveStores {
  /** The place, for sentences. */
  readonly place: string;
  readonly records: Pick<OperatedRecords, "engine" | "packages" | "soundKeys" | "upkeep">;
  readonly sounds: OperatedSounds;
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
  const { dataFolder, databaseUrl, s3Bucket } = settings;
  return opening(async (opened) => {
    if (databaseUrl === undefined || s3Bucket === undefined) {
      if (!existsSync(dataFolder)) throw new Error(`There is no data folder at ${dataFolder}.`);
      opened.push(lockFolder(dataFolder, "Stop it first."));
    }
    const records = await openRecords(settings, { mayWrite: true });
    opened.push(records);
    const sounds = await openSounds(settings);
    opened.push(sounds);
    const { engine, packages, soundKeys, upkeep } = records;
    const stores = { place, records, sounds };
    if (databaseUrl === undefined) {
      return {
        ...stores,
        check: (isRepairing) => check({ dataFolder, isRepairing }),
        readMark: async () => readMovedMark(dataFolder),
        writeMark: async (mark) => writeMovedMark(dataFolder, mark),
      };
    }
    return {
      ...stores,
      check: (isRepairing) => checkStores({ packages, soundKeys, upkeep, sounds }, { isRepairing }),
      readMark: () => readDatabaseMark(engine),
      writeMark: (mark) => writeDatabaseMark(engine, mark),
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
  return opening(async (opened) => {
    if (databaseUrl === undefined || s3Bucket === undefined) {
      await makeFolder(dataFolder, { mode: 0o700 });
      opened.push(lockFolder(dataFolder, "Choose an empty folder."));
      if (s3Bucket === undefined) await DiskSoundStore.open(dataFolder);
    }
    const records =
      databaseUrl === undefined
        ? await SqliteDatabase.open(dataFolder)
        : await openDatabase({ ...settings, databaseUrl });
    opened.push(records);
    const sounds = await openSounds(settings);
    opened.push(sounds);
    return { place, records, sounds };
  });
}

/** Stores and locks that are open. */
type Opened = (Disposable | Partial<AsyncDisposable>)[];

async function opening<Stores extends MoveStores>(
  open: (opened: Opened) => Promise<Stores>,
): Promise<Stores & AsyncDisposable> {
  const opened: Opened = [];
  const close = async () => {
    for (const each of opened.toReversed()) {
      if (Symbol.dispose in each) each[Symbol.dispose]();
      else await each[Symbol.asyncDispose]?.();
    }
  };
  try {
    return { ...(await open(opened)), [Symbol.asyncDispose]: close };
  } catch (error) {
    await close();
    throw error;
  }
}
