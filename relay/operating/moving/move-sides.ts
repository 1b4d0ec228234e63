import { existsSync } from "node:fs";
import { ClosingStack } from "../../node.ts";
import { DiskSoundStore } from "../../storage/disk/disk-sound-store.ts";
import { lockFolder } from "../../storage/disk/folder-lock.ts";
import { type MovedMark, readMovedMark, writeMovedMark } from "../../storage/disk/moved-mark.ts";
import type { Engine } from "../../storage/records/engine.ts";
import type { RecordsOver } from "../../storage/records/records-over.ts";
import { openRecordsBeside } from "../../storage/sqlite/records-beside.ts";
import { SqliteDatabase } from "../../storage/sqlite/sqlite-database.ts";
import { check, type CheckResult, checkStores } from "../check.ts";
import { openCurrent } from "../folder-database.ts";
import {
  openDatabase,
  openSounds,
  type OperatedSounds,
  type StoreSettings,
} from "../open-operated.ts";
import { makeFolder } from "../../../program/make-folder.ts";

/** The records and the sounds of a relay that moves, at one place. */
export interface MoveSide {
  /** The place, for sentences. */
  readonly place: string;
  readonly engine: Engine;
  readonly records: Pick<RecordsOver, "packages" | "soundKeys" | "upkeep">;
  readonly sounds: OperatedSounds;
}

/** The side that a relay leaves. It is left as it is, but for a mark that keeps relays from starting on it. */
export interface MoveSource extends MoveSide {
  /** Waits until no relay can be using it. @throws {Error} a sentence if one does */
  requireStopped(): Promise<void>;
  /** Does what `relay check` does. */
  check(): Promise<CheckResult>;
  readMark(): Promise<MovedMark | undefined>;
  /** Writes the mark, or removes it. */
  writeMark(mark: MovedMark | undefined): Promise<void>;
}

export interface SourceOptions {
  readonly isRepairing: boolean;
  /** Called once if it must wait until it is certain that no relay runs. */
  readonly onWait: () => void;
  readonly signal?: AbortSignal | undefined;
}

/** A side, and what it must close. */
interface Opening {
  readonly settings: StoreSettings;
  readonly place: string;
  readonly closing: ClosingStack;
}

/**
 * Opens the side that a relay leaves.
 * @throws {FolderInUseError} while a relay uses its folder
 * @throws {Error} a sentence if there are no records, or if another version wrote them
 */
export function openSource(
  settings: StoreSettings,
  place: string,
  options: SourceOptions,
): Promise<MoveSource & AsyncDisposable> {
  return withClosing(settings, place, (opening) =>
    settings.databaseUrl === undefined
      ? openFolder(opening, options)
      : openPostgres(opening, settings.databaseUrl, options),
  );
}

/** Opens the side that a relay goes to. A data folder is made if it isn't there. */
export function openTarget(
  settings: StoreSettings,
  place: string,
): Promise<MoveSide & AsyncDisposable> {
  return withClosing(settings, place, async (opening) => {
    const { databaseUrl, dataFolder } = settings;
    if (databaseUrl !== undefined) {
      const database = opening.closing.use(await openDatabase({ ...settings, databaseUrl }));
      const sounds = await openTheirSounds(opening);
      return { place, engine: database.engine, records: database, sounds };
    }
    await makeFolder(dataFolder, { mode: 0o700 });
    opening.closing.use(lockFolder(dataFolder, "Choose another one."));
    const sounds = await DiskSoundStore.open(dataFolder);
    const database = opening.closing.use(await SqliteDatabase.open(dataFolder));
    return { place, engine: database.engine, records: database, sounds };
  });
}

async function withClosing<Side extends MoveSide>(
  settings: StoreSettings,
  place: string,
  open: (opening: Opening) => Promise<Side>,
): Promise<Side & AsyncDisposable> {
  const closing = new ClosingStack();
  try {
    const side = await open({ settings, place, closing });
    return { ...side, [Symbol.asyncDispose]: () => closing[Symbol.asyncDispose]() };
  } catch (error) {
    await closing[Symbol.asyncDispose]();
    throw error;
  }
}

/** Opens the sounds of a side. On the disk, their folder is locked. */
async function openTheirSounds({ settings, closing }: Opening): Promise<OperatedSounds> {
  if (settings.s3Bucket === undefined) closing.use(lockFolder(settings.dataFolder));
  const sounds = await openSounds(settings);
  closing.defer(() => sounds[Symbol.asyncDispose]?.());
  return sounds;
}

async function openFolder(
  { settings: { dataFolder }, place, closing }: Opening,
  { isRepairing }: SourceOptions,
): Promise<MoveSource> {
  if (!existsSync(dataFolder)) throw new Error(`There is no data folder at ${dataFolder}.`);
  closing.use(lockFolder(dataFolder, "Stop it first."));
  openCurrent(dataFolder).close();
  const sounds = DiskSoundStore.openReadOnly(dataFolder);
  const records = closing.use(openRecordsBeside(dataFolder, { mayWrite: isRepairing }));
  return {
    place,
    engine: records.engine,
    records,
    sounds,
    requireStopped: async () => {},
    check: () => check({ dataFolder, isRepairing }),
    readMark: async () => readMovedMark(dataFolder),
    writeMark: async (mark) => writeMovedMark(dataFolder, mark),
  };
}

async function openPostgres(
  opening: Opening,
  databaseUrl: string,
  { isRepairing, onWait, signal }: SourceOptions,
): Promise<MoveSource> {
  const { settings, place, closing } = opening;
  const { readDatabaseMark, writeDatabaseMark } =
    await import("../../storage/postgres/moved-database.ts");
  const { requireAlone } = await import("../../storage/postgres/other-processes.ts");
  const database = closing.use(await openDatabase({ ...settings, databaseUrl }));
  const { connections, packages, soundKeys, upkeep } = database;
  const sounds = await openTheirSounds(opening);
  return {
    place,
    engine: database.engine,
    records: database,
    sounds,
    requireStopped: () => requireAlone(connections, { onWait, signal }),
    check: () => checkStores({ packages, soundKeys, upkeep, sounds }, { isRepairing }),
    readMark: () => readDatabaseMark(connections),
    writeMark: (mark) => writeDatabaseMark(connections, mark),
  };
}
