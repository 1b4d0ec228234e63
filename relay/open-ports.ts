import type { Logger } from "pino";
import { makeFolder } from "../program/make-folder.ts";
import type { ClosingStack } from "../program/closing-stack.ts";
import { bindableStores, bindStores, refuseMismatch } from "./domain/upkeep/bind-stores.ts";
import { endPending } from "./domain/upkeep/doomed-sounds.ts";
import {
  isBound,
  type Ports,
  type RecordStore,
  type RelayClock,
  type SoundStore,
  StoreBusyError,
  StoreFullError,
} from "./domain/ports.ts";
import { MemoryNotifier } from "./notify/memory-notifier.ts";
import { DiskSoundStore } from "./storage/disk/disk-sound-store.ts";
import { lockFolderWithin, type LockWait } from "./storage/disk/folder-lock.ts";
import { refuseMoved } from "./storage/disk/moved-mark.ts";
import { MemoryLimits } from "./limits/memory-limits.ts";
import { findDatabase, findExpiredKeys } from "./storage/sqlite/find-database.ts";
import { type DatabaseOptions, SqliteDatabase } from "./storage/sqlite/sqlite-database.ts";
import { openSystemClock, runningTime, systemDigest, systemRandomBytes } from "./storage/system.ts";

/**
 * Stores and other parts to use in place of the relay's own. They belong to the caller: the relay doesn't
 * dispose them. docs/build/stores.md says what they promise.
 */
export interface GivenPorts extends Partial<
  Pick<Ports, "sounds" | "notifier" | "limits" | "clock" | "randomBytes" | "digest">
> {
  /** A database in place of SQLite. If it has a clock, that is the relay's time, unless `clock` is given too. */
  readonly records?: RecordStore;
}

interface OpenedStores {
  readonly records: RecordStore;
  readonly sounds: SoundStore;
}

interface OpeningDeps {
  readonly log: Logger;
  readonly closing: ClosingStack;
  readonly clockProofMs: number;
  readonly waitForLock: LockWait;
  /** Options of SQLite, if it is needed. */
  readonly database: Partial<DatabaseOptions>;
}

/**
 * Returns the given ports, and opens the relay's own in place of missing ones. Those are closed with `closing`.
 * @param folder the place of SQLite and disk, if one of them is needed
 * @throws {FolderInUseError} while another relay uses the folder
 * @throws {InstanceMismatch} if database and sounds don't belong together (rule Z1)
 */
export async function openPorts(
  folder: string,
  given: GivenPorts,
  { log, closing, clockProofMs, waitForLock, database }: OpeningDeps,
): Promise<Ports> {
  const { records, sounds } = await openStores(folder, given, {
    closing,
    database,
    waitForLock: {
      ...waitForLock,
      onWait: () => log.info(`Another relay uses ${folder}. Waiting until it leaves the folder.`),
    },
  });
  const { upkeep } = records;
  const randomBytes = given.randomBytes ?? systemRandomBytes;
  const bindable = bindableStores({ upkeep, sounds });
  const instanceId = bindable && (await bindStores(bindable, randomBytes));
  const givenClock = given.clock ?? records.clock;
  const clock = givenClock ?? (await openSystemClock(upkeep, { proofMs: clockProofMs }));
  if (given.records === undefined) await endUploads({ ...records, upkeep, sounds }, clock);
  const onError = (error: unknown) => log.error({ err: error }, "a listener failed");
  return {
    pairings: records.pairings,
    packages: records.packages,
    soundKeys: records.soundKeys,
    changes: records.changes,
    upkeep,
    broken: records.broken,
    ballast: records.ballast,
    writes: records.writes,
    operatorRecords: records.operatorRecords,
    instanceId,
    sounds,
    notifier: given.notifier ?? new MemoryNotifier(onError),
    limits: given.limits ?? new MemoryLimits(givenClock ?? runningTime),
    clock,
    randomBytes,
    digest: given.digest ?? systemDigest,
  };
}

/**
 * Ends the uploads of an earlier process: nobody else serves the database of a locked folder, so its pending keys are
 * abandoned. If the disk is too full for the change, or another program has locked the database, a sweep ends them
 * after their upload window.
 */
async function endUploads(
  stores: Pick<Ports, "packages" | "soundKeys" | "sounds" | "upkeep">,
  clock: RelayClock,
): Promise<void> {
  try {
    await endPending(stores, Number.MAX_SAFE_INTEGER, clock.confirmedNow());
  } catch (error) {
    if (!(error instanceof StoreFullError || error instanceof StoreBusyError)) throw error;
  }
}

/** Returns the given stores, and opens SQLite and disk in the locked folder in place of missing ones (rule J8). */
async function openStores(
  folder: string,
  { records, sounds }: GivenPorts,
  { closing, database, waitForLock }: Pick<OpeningDeps, "closing" | "database" | "waitForLock">,
): Promise<OpenedStores> {
  if (records !== undefined && sounds !== undefined) return { records, sounds };
  await makeFolder(folder, { mode: 0o700 });
  closing.use(await lockFolderWithin(folder, waitForLock));
  if (records === undefined) refuseMoved(folder);
  const openedSounds = sounds ?? (await DiskSoundStore.open(folder));
  if (records !== undefined) return { records, sounds: openedSounds };
  // Before the database is created or migrated: a new one would pass for the lost one, until somebody puts that back.
  if (isBound(openedSounds)) await refuseMismatch(findDatabase(folder), openedSounds);
  const open = () => SqliteDatabase.open(folder, database);
  const opened = await open().catch(async (error: unknown) => {
    if (!(await deletedExpired(error, folder, openedSounds))) throw error;
    return open();
  });
  return { records: closing.use(opened), sounds: openedSounds };
}

/**
 * Deletes the sounds of finished packages if the disk is too full to open the database. Returns true if there were any.
 */
async function deletedExpired(error: unknown, folder: string, sounds: SoundStore) {
  // By name: an error loses its class between threads.
  if (!(error instanceof Error && error.name === "StoreFullError")) return false;
  const keys = findExpiredKeys(folder);
  await sounds.delete(keys);
  return keys.length > 0;
}
