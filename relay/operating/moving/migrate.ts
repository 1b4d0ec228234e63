import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { markLost } from "../../domain/upkeep/reconcile.ts";
import { DiskSoundStore } from "../../storage/disk/disk-sound-store.ts";
import { lockFolder } from "../../storage/disk/folder-lock.ts";
import { readMovedMark, writeMovedMark } from "../../storage/disk/moved-mark.ts";
import { namedSounds, openRecordsBeside } from "../../storage/sqlite/records-beside.ts";
import { readStored } from "../../storage/sqlite/upkeep.ts";
import { check, type CheckResult, checkStores } from "../check.ts";
import { openCurrent } from "../folder-database.ts";
import {
  compareRecords,
  countRows,
  moveRecords,
  moveUpkeep,
  type MovingRecords,
} from "./move-records.ts";
import { countBegun, movePartials, moveSounds } from "./move-sounds.ts";
import {
  advance,
  claimTarget,
  countAgain,
  type MoveState,
  type MoveTarget,
} from "./move-target.ts";
import { MOVED_TABLES } from "./moved-tables.ts";

export interface MigrateOptions {
  readonly dataFolder: string;
  /** Opened stores of the target; the caller closes them. */
  readonly target: MoveTarget;
  /** Place of the target, for sentences. */
  readonly to: string;
  /** Lists lost and damaged files as missing, so that their apps can send them again. */
  readonly isRepairing?: boolean;
  readonly onProgress?: (progress: MigrateProgress) => void;
  readonly signal?: AbortSignal | undefined;
}

interface MigrateProgress {
  readonly step: "sounds" | "rows";
  readonly done: number;
  readonly all: number;
  readonly bytes: number;
}

export interface MigrateResult {
  readonly instanceId: string;
  /** True unless an earlier run had moved the relay already. */
  readonly isNew: boolean;
  readonly devices: number;
  readonly packages: number;
  readonly rows: number;
  readonly sounds: number;
  readonly bytes: number;
  /** Number of files that are sent in several calls, and continue at the target. */
  readonly partials: number;
  /** Number of these files that are sent again from their beginning, because their bytes are gone. */
  readonly restartedFiles: number;
  /** Sounds that differ from their announcement. Their packages list them as missing. */
  readonly damaged: readonly string[];
  /** Number of sounds in the quarantine, which stays in the folder. */
  readonly quarantined: number;
}

/**
 * Moves a stopped relay from its data folder to PostgreSQL and S3 (rules SC21 to SC23). It can be stopped at any
 * point and run again. Sounds come first, so that no record at the target names missing bytes; the bucket gets the
 * relay's id last.
 * @throws {FolderInUseError} while a relay uses the folder
 * @throws {Error} a sentence that says what is in the way
 */
export async function migrate(options: MigrateOptions): Promise<MigrateResult> {
  const dataFolder = resolve(options.dataFolder);
  if (!existsSync(dataFolder)) throw new Error(`There is no data folder at ${dataFolder}.`);
  using _lock = lockFolder(dataFolder, "Stop it first.");
  const quarantined = await requireWell(dataFolder, options.isRepairing === true);
  using source = openCurrent(dataFolder);
  const { instanceId } = readStored(source);
  if (instanceId === undefined) throw new Error(`No relay has served from ${dataFolder} yet.`);
  const id = readMovedMark(dataFolder)?.id ?? randomUUID();
  const state = await claimTarget(options.target, { id, instanceId });
  const isNew = state.at !== "done";
  writeMovedMark(dataFolder, { id, state: "moving", to: options.to });
  const moved = isNew
    ? await moveAll(source, { ...options, dataFolder }, state)
    : { damaged: [], dropped: new Set<string>() };
  await options.target.sounds.keepInstance(instanceId);
  writeMovedMark(dataFolder, { id, state: "moved", to: options.to });
  const { damaged, dropped } = moved;
  return { ...countsOf(source, dropped), instanceId, isNew, damaged, quarantined };
}

/**
 * Checks the source.
 * @returns the number of sounds in the quarantine
 * @throws {Error} a sentence if a check finds something
 */
async function requireWell(dataFolder: string, isRepairing: boolean): Promise<number> {
  const found = await check({ dataFolder, isRepairing });
  const { mismatch, damage, lost, unknown, misplaced, quarantined, repairs } = found;
  const isWell =
    mismatch === undefined &&
    damage.length === 0 &&
    (repairs !== undefined || [lost, unknown, misplaced].every((each) => each.length === 0));
  if (isWell) return quarantined.length + (repairs?.quarantined.length ?? 0);
  throw new Error(
    "Database and sounds here don't agree. Nothing was moved. See: soundferry relay check. With --repair, lost files " +
      "are listed as missing there, and sounds that the database doesn't know stay in the quarantine here.",
  );
}

interface Moved {
  readonly damaged: readonly string[];
  readonly dropped: ReadonlySet<string>;
}

async function moveAll(
  source: DatabaseSync,
  options: MigrateOptions,
  begun: MoveState,
): Promise<Moved> {
  const { target, signal, onProgress = () => {}, dataFolder } = options;
  const from = DiskSoundStore.openReadOnly(dataFolder);
  const sounds = [...namedSounds(source)];
  let [done, bytes] = [0, 0];
  const onSound = (copied: number) => {
    [done, bytes] = [done + 1, bytes + copied];
    onProgress({ step: "sounds", done, all: sounds.length, bytes });
  };
  const damaged = await moveSounds({ from, to: target.sounds, onSound, signal }, sounds);
  await takeOut(damaged, options);
  const dropped = await movePartials(source, { from, to: target.sounds, signal });
  const all = MOVED_TABLES.reduce((sum, table) => sum + countRows(source, table), 0);
  let rows = 0;
  const moving: MovingRecords = {
    source,
    database: target.database,
    droppedPartials: dropped,
    signal,
    onRows: (count) => onProgress({ step: "rows", done: (rows += count), all, bytes }),
  };
  const state = await moveRecords(moving, begun);
  const differences = await compareRecords(moving);
  if (differences.length > 0) throw new Error(formatDifferences(differences));
  await moveUpkeep(moving);
  await countAgain(target, source);
  await requireSame(target);
  await target.database.connections.transaction((tx) =>
    advance(tx, state, { id: state.id, at: "done" }),
  );
  return { damaged, dropped };
}

/** Takes damaged sounds out of their packages in the source, before their records move. */
async function takeOut(
  damaged: readonly string[],
  { dataFolder, isRepairing = false }: MigrateOptions,
): Promise<void> {
  if (damaged.length === 0) return;
  if (!isRepairing) {
    throw new Error(
      `${damaged.length} sounds aren't what was sent, so probably damaged on the disk, such as ${damaged[0]}. With ` +
        "--repair, their packages list them as missing, so that their apps can send them again.",
    );
  }
  using records = openRecordsBeside(dataFolder, { mayWrite: true });
  const { packages, soundKeys } = records;
  const sounds = DiskSoundStore.openReadOnly(dataFolder);
  for (const key of damaged) {
    const packageId = key.split("/")[0] ?? "";
    const uploaded = (await packages.find(packageId))?.uploaded ?? new Map<string, string>();
    const files = new Map([...uploaded].filter(([, one]) => one === key));
    await markLost({ packages, soundKeys, sounds }, { packageId, files }, Date.now());
  }
}

/**
 * Compares the target as `relay check` does. Objects that an earlier move left in the bucket are deleted.
 * @throws {Error} a sentence
 */
async function requireSame({ database, sounds }: MoveTarget): Promise<void> {
  const { packages, soundKeys, upkeep } = database;
  const look = (): Promise<CheckResult> => checkStores({ packages, soundKeys, upkeep, sounds }, {});
  let found = await look();
  const leftover = [...found.unknown, ...found.unfinished].map(({ key }) => key);
  if (leftover.length > 0) {
    await sounds.delete(leftover);
    found = await look();
  }
  const { lost, unknown, misplaced } = found;
  if ([lost, unknown, misplaced].every((each) => each.length === 0)) return;
  throw new Error(
    `Not everything is there: ${lost.length} packages lack files, and ${unknown.length + misplaced.length} sounds ` +
      "have no record. Does another program change the bucket? Run the same command again.",
  );
}

function formatDifferences(differences: readonly string[]): string {
  return (
    "The records there differ from those here, so the relay was not moved. Does another program change that database? " +
    `Choose an empty one.\n${differences.map((line) => `  ${line}`).join("\n")}`
  );
}

function countsOf(source: DatabaseSync, dropped: ReadonlySet<string>) {
  const count = (sql: string) => Number(source.prepare(`SELECT ${sql} AS n`).get()?.["n"]);
  const sounds = [...namedSounds(source)];
  return {
    devices: count("(SELECT count(*) FROM devices)"),
    packages: count("(SELECT count(*) FROM packages)"),
    rows: MOVED_TABLES.reduce((sum, table) => sum + countRows(source, table), 0),
    sounds: sounds.length,
    bytes: sounds.reduce((sum, { bytes }) => sum + bytes, 0),
    partials: count("(SELECT count(*) FROM partials)") - dropped.size,
    restartedFiles: countBegun(source, dropped),
  };
}
