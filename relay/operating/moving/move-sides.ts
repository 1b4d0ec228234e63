import { existsSync } from "node:fs";
import { makeFolder } from "../../../program/make-folder.ts";
import { ClosingStack } from "../../node.ts";
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
export interface MoveSide {
  /** The place, for sentences. */
  readonly place: string;
  readonly records: Pick<OperatedRecords, "engine" | "packages" | "soundKeys" | "upkeep">;
  readonly sounds: OperatedSounds;
}

/** The side that a relay leaves. It stays as it is, but for a mark that keeps relays from starting on it. */
export interface MoveSource extends MoveSide {
  /** Does what `relay check` does. */
  check(isRepairing: boolean): Promise<CheckResult>;
  readMark(): Promise<MovedMark | undefined>;
  /** Writes the mark, or takes it back. */
  writeMark(mark: MovedMark | undefined): Promise<void>;
}

/**
 * Opens the side that a relay leaves. A data folder is locked.
 * @throws {FolderInUseError} while a relay uses its folder
 * @throws {Error} a sentence if there are no records, or if another version wrote them
 */
export function openSource(
  settings: StoreSettings,
  place: string,
): Promise<MoveSource & AsyncDisposable> {
  const { dataFolder, databaseUrl, s3Bucket } = settings;
  return opening(async (closing) => {
    if (databaseUrl === undefined || s3Bucket === undefined) {
      if (!existsSync(dataFolder)) throw new Error(`There is no data folder at ${dataFolder}.`);
      closing.use(lockFolder(dataFolder, "Stop it first."));
    }
    const records = closing.use(await openRecords(settings, { mayWrite: true }));
    const sounds = await openTheirSounds(settings, closing);
    const { engine, packages, soundKeys, upkeep } = records;
    const side = { place, records, sounds };
    if (databaseUrl === undefined) {
      return {
        ...side,
        check: (isRepairing) => check({ dataFolder, isRepairing }),
        readMark: async () => readMovedMark(dataFolder),
        writeMark: async (mark) => writeMovedMark(dataFolder, mark),
      };
    }
    return {
      ...side,
      check: (isRepairing) => checkStores({ packages, soundKeys, upkeep, sounds }, { isRepairing }),
      readMark: () => readDatabaseMark(engine),
      writeMark: (mark) => writeDatabaseMark(engine, mark),
    };
  });
}

/**
 * Opens the side that a relay goes to. A data folder is locked, and made if it isn't there.
 * @throws {FolderInUseError} while a relay uses its folder
 */
export function openTarget(
  settings: StoreSettings,
  place: string,
): Promise<MoveSide & AsyncDisposable> {
  const { dataFolder, databaseUrl, s3Bucket } = settings;
  return opening(async (closing) => {
    if (databaseUrl === undefined || s3Bucket === undefined) {
      await makeFolder(dataFolder, { mode: 0o700 });
      closing.use(lockFolder(dataFolder, "Choose an empty folder."));
      if (s3Bucket === undefined) await DiskSoundStore.open(dataFolder);
    }
    const sounds = await openTheirSounds(settings, closing);
    const records = closing.use(
      databaseUrl === undefined
        ? await SqliteDatabase.open(dataFolder)
        : await openDatabase({ ...settings, databaseUrl }),
    );
    return { place, records, sounds };
  });
}

async function opening<Side extends MoveSide>(
  open: (closing: ClosingStack) => Promise<Side>,
): Promise<Side & AsyncDisposable> {
  const closing = new ClosingStack();
  try {
    const side = await open(closing);
    return { ...side, [Symbol.asyncDispose]: () => closing[Symbol.asyncDispose]() };
  } catch (error) {
    await closing[Symbol.asyncDispose]();
    throw error;
  }
}

async function openTheirSounds(
  settings: StoreSettings,
  closing: ClosingStack,
): Promise<OperatedSounds> {
  const sounds = await openSounds(settings);
  closing.defer(() => sounds[Symbol.asyncDispose]?.());
  return sounds;
}
