import { mkdirSync } from "node:fs";
import type { Logger } from "pino";
import type { ClosingStack } from "./closing-stack.ts";
import { type Doorbell, notifierOf } from "./deprecated.ts";
import type { Ports, RecordStore, SoundStore } from "./domain/ports.ts";
import { MemoryNotifier } from "./notify/memory-notifier.ts";
import { DiskSoundStore } from "./storage/disk/disk-sound-store.ts";
import { lockFolder } from "./storage/disk/folder-lock.ts";
import { MemoryLimits } from "./storage/memory/memory-limits.ts";
import { SqliteDatabase } from "./storage/sqlite/sqlite-database.ts";
import { systemClock, systemDigest, systemRandomBytes } from "./storage/system.ts";

/**
 * Stores and other parts to use in place of the relay's own. They belong to the caller: the relay doesn't
 * dispose them. docs/stores.md says what they promise.
 */
export interface GivenPorts extends Partial<
  Pick<Ports, "sounds" | "notifier" | "limits" | "clock" | "randomBytes" | "digest">
> {
  /** In place of SQLite. If it has a clock, that is the relay's time, unless `clock` is given too. */
  readonly records?: RecordStore;
  /** @deprecated Use `notifier`. */
  readonly doorbell?: Doorbell;
}

/**
 * The given ports, and the relay's own for those that are not given. Those are closed with `closing`.
 * @param folder where SQLite and disk are, if one of them is needed
 * @throws {FolderInUseError} while another relay uses the folder
 */
export async function openPorts(
  folder: string,
  given: GivenPorts,
  { log, closing }: { readonly log: Logger; readonly closing: ClosingStack },
): Promise<Ports> {
  const { records, sounds } = await openStores(folder, given, closing);
  const clock = given.clock ?? records.clock ?? systemClock;
  const onError = (error: unknown) => log.error({ err: error }, "a listener failed");
  return {
    pairings: records.pairings,
    packages: records.packages,
    soundKeys: records.soundKeys,
    changes: records.changes,
    sounds,
    notifier:
      given.notifier ??
      (given.doorbell === undefined
        ? new MemoryNotifier(onError)
        : notifierOf(given.doorbell, onError)),
    limits: given.limits ?? new MemoryLimits(clock),
    clock,
    randomBytes: given.randomBytes ?? systemRandomBytes,
    digest: given.digest ?? systemDigest,
  };
}

/** The given stores, and SQLite and disk in the locked folder for those that are not given (rule J8). */
async function openStores(
  folder: string,
  { records, sounds }: GivenPorts,
  closing: ClosingStack,
): Promise<{ readonly records: RecordStore; readonly sounds: SoundStore }> {
  if (records !== undefined && sounds !== undefined) return { records, sounds };
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  closing.use(lockFolder(folder));
  return {
    records: records ?? (await openRecords(folder, closing)),
    sounds: sounds ?? (await DiskSoundStore.open(folder)),
  };
}

/** Opens the database of a locked folder. Nobody else serves it, so what is pending there is a dead upload's. */
async function openRecords(folder: string, closing: ClosingStack): Promise<RecordStore> {
  const database = closing.use(await SqliteDatabase.open(folder));
  await database.soundKeys.doomPending(Number.MAX_SAFE_INTEGER);
  return database;
}
