import { HOUR_MS } from "../domain/context.ts";
import type { QuarantinedSound, SoundKeys, StoredSound } from "../domain/ports.ts";
import { all, keysOf, pagesOf } from "../domain/upkeep/batches.ts";
import { foundSounds } from "../domain/upkeep/bind-stores.ts";
import { judgeInstance, type MismatchReason } from "../domain/upkeep/judge-instance.ts";
import {
  type ComparedStores,
  type DifferingSound,
  findDiffering,
  listStored,
} from "../domain/upkeep/compare-sounds.ts";
import { isHeldAt } from "../domain/upkeep/deletion-hold.ts";
import {
  findLostFiles,
  findMisplacedSounds,
  findUnknownSounds,
  type LostFiles,
  markLost,
} from "../domain/upkeep/reconcile.ts";
import { repair, type RepairableStores, type Repairs } from "../domain/upkeep/repair.ts";
import { systemDigest } from "../storage/system.ts";
import { hasDatabase } from "../storage/sqlite/open-database.ts";
import { damageOf, openReadOnly } from "./folder-database.ts";
import {
  openRecords,
  openSounds,
  type OperatedSounds,
  type OperatedStores,
  type StoreSettings,
} from "./open-operated.ts";

/** The work besides looking. */
export interface CheckTask {
  readonly isRepairing?: boolean;
  readonly isResettingClock?: boolean;
  /** The machine's clock, in milliseconds since 1970. */
  readonly wall?: () => number;
  /** Set to compare the bytes of every sound with what its app sent (rule Z16). */
  readonly deep?: DeepProgress | undefined;
}

/** The progress of comparing bytes. */
export interface DeepProgress {
  /** Called with the bytes of all sounds. */
  readonly begin: (bytes: number) => void;
  /** Called with the bytes of each compared sound. */
  readonly compared: (bytes: number) => void;
}

/** The differences between the records and the sounds, and what was done about them. */
export interface CheckResult {
  /** Reason why a relay would refuse to start; undefined if it would start. */
  readonly mismatch: MismatchReason | undefined;
  readonly instanceId: string | undefined;
  readonly soundsInstanceId: string | undefined;
  /** Number of finished sounds in their place. */
  readonly soundCount: number;
  /** SQLite's findings in a damaged database. */
  readonly damage: readonly string[];
  readonly lost: readonly LostFiles[];
  /** Sounds that are not what their apps sent, except lost ones; undefined if their bytes were not compared. */
  readonly differing: readonly DifferingSound[] | undefined;
  /** Finished sounds that no record knows. */
  readonly unknown: readonly StoredSound[];
  /** Unfinished sounds that no record knows. A relay deletes them. */
  readonly unfinished: readonly StoredSound[];
  /** Sounds in the quarantine that a record knows. */
  readonly misplaced: readonly QuarantinedSound[];
  /** The other sounds in the quarantine. */
  readonly quarantined: readonly QuarantinedSound[];
  /** Number of deletions that a relay has yet to do. */
  readonly doomedCount: number;
  readonly clock: ClockFinding;
  readonly repairs: Repairs | undefined;
  readonly isClockReset: boolean;
}

interface ClockFinding {
  /** Milliseconds by which the relay's kept time is ahead of the machine's clock; negative if it is behind. */
  readonly aheadMs: number;
  /** True if the machine's clock was set back by more than an hour. */
  readonly isBack: boolean;
}

const DOOMED_BATCH = 1000;

/**
 * Compares a relay's records with its sounds, wherever they are, both ways. Works beside a running relay, too (rule Z9).
 * @throws {Error} a sentence if there is nothing to check
 */
export async function checkRelay(
  settings: StoreSettings,
  task: CheckTask = {},
): Promise<CheckResult> {
  // The sounds as they are: a running relay whose sounds are away would continue in a new folder.
  await using sounds = await openSounds(settings);
  const isInFolder = settings.databaseUrl === undefined;
  const alone = isInFolder ? await checkAlone(sounds, settings.dataFolder) : undefined;
  if (alone !== undefined) return alone;
  const mayWrite = task.isRepairing === true || task.isResettingClock === true;
  await using records = await openRecords(settings, { mayWrite });
  return await checkStores({ records, sounds }, task);
}

/** Compares records with sounds, both ways. Asks for everything twice, so that changes meanwhile are no findings. */
export async function checkStores(
  { records: { packages, soundKeys, upkeep }, sounds }: OperatedStores,
  { isRepairing = false, isResettingClock = false, wall = () => Date.now(), deep }: CheckTask = {},
): Promise<CheckResult> {
  const stores = { packages, soundKeys, upkeep, sounds, digest: systemDigest };
  const state = await upkeep.read();
  const aheadMs = (state.time ?? wall()) - wall();
  const verdict = judgeInstance(state, await foundSounds(stores));
  const unknown = await askTwice(() => findUnknownSounds(stores), keyOf);
  const misplaced = await askTwice(() => findMisplacedSounds(stores), keyOf);
  const lost = await askTwice(
    () => findLostFiles(stores),
    (one) => JSON.stringify([one.packageId, ...one.files]),
  );
  const known = new Set(keysOf(misplaced));
  const alone = await lookAtSounds(sounds);
  const mayCompare = deep !== undefined && verdict.kind !== "refuse";
  const found: CheckResult = {
    ...alone,
    differing: mayCompare ? await compareAll(stores, deep) : undefined,
    mismatch: verdict.kind === "refuse" ? verdict.reason : undefined,
    instanceId: state.instance?.instanceId,
    // A quarantined sound that a record knows is not lost.
    lost: lost.filter(({ files }) => [...files.values()].some((key) => !known.has(key))),
    unknown: unknown.filter(({ isFinished }) => isFinished),
    unfinished: unknown.filter(({ isFinished }) => !isFinished),
    misplaced,
    quarantined: alone.quarantined.filter(({ key }) => !known.has(key)),
    doomedCount: await countDoomed(soundKeys),
    clock: { aheadMs, isBack: aheadMs > HOUR_MS },
    isClockReset: isResettingClock,
  };
  const isRepaired = isRepairing && found.mismatch === undefined;
  const since = Math.max(wall(), state.time ?? 0);
  const repairs = isRepaired ? await repair(stores, found, since) : undefined;
  if (isRepaired && found.differing !== undefined) {
    await quarantineDiffering(stores, found.differing, wall);
  }
  if (isResettingClock) await upkeep.keep({ time: wall(), wasTimeReset: true });
  return { ...found, repairs };
}

/** Compares all sounds, however long it takes. */
async function compareAll(
  stores: ComparedStores & Pick<RepairableStores, "upkeep">,
  { begin, compared }: DeepProgress,
): Promise<readonly DifferingSound[]> {
  let bytes = 0;
  for await (const { announced } of listStored(stores)) bytes += announced.bytes;
  begin(bytes);
  return await all(findDiffering(stores, compared));
}

/** Takes differing sounds out of their packages, and lets a scrub that had found too many begin again. */
async function quarantineDiffering(
  stores: RepairableStores,
  differing: readonly DifferingSound[],
  wall: () => number,
): Promise<void> {
  for (const { packageId, file, key } of differing) {
    const { holds, time = 0 } = await stores.upkeep.read();
    const now = Math.max(wall(), time);
    if (isHeldAt(holds, now)) {
      throw new Error("A backup is being made, so no sound is moved. Run this again afterwards.");
    }
    await markLost(stores, { packageId, files: new Map([[file, key]]) }, now);
  }
  await stores.upkeep.keep({ isScrubHalted: false });
}

async function countDoomed(soundKeys: SoundKeys): Promise<number> {
  let count = 0;
  const pages = pagesOf<string>((after) =>
    soundKeys.list({ state: "doomed", after, limit: DOOMED_BATCH }),
  );
  for await (const keys of pages) count += keys.length;
  return count;
}

/** Asks twice. Findings that a running relay was about to change are gone from the second answer. */
async function askTwice<Found>(
  ask: () => AsyncIterable<Found>,
  nameOf: (found: Found) => string,
): Promise<readonly Found[]> {
  const first = new Set((await all(ask())).map(nameOf));
  if (first.size === 0) return [];
  return (await all(ask())).filter((found) => first.has(nameOf(found)));
}

function keyOf({ key }: { readonly key: string }): string {
  return key;
}

/**
 * Checks the sounds of a folder whose database is missing or damaged.
 * @returns undefined if the database can be read
 * @throws {Error} a sentence if there are neither a database nor sounds, or if another version wrote the database
 */
async function checkAlone(
  sounds: OperatedSounds,
  dataFolder: string,
): Promise<CheckResult | undefined> {
  if (hasDatabase(dataFolder)) {
    const damage = damageOf(dataFolder);
    return damage.length === 0 ? undefined : { ...(await lookAtSounds(sounds)), damage };
  }
  const verdict = judgeInstance(undefined, await foundSounds({ sounds }));
  if (verdict.kind === "refuse") {
    return { ...(await lookAtSounds(sounds)), mismatch: verdict.reason };
  }
  openReadOnly(dataFolder).close();
  throw new Error(`The database in ${dataFolder} is empty.`);
}

/** Returns what there is to find without a database: no record knows any sound. */
async function lookAtSounds(sounds: OperatedSounds): Promise<CheckResult> {
  const found = await all(sounds.list());
  const finished = found.filter(({ isFinished }) => isFinished);
  return {
    mismatch: undefined,
    instanceId: undefined,
    soundsInstanceId: await sounds.readInstance(),
    soundCount: finished.length,
    damage: [],
    lost: [],
    differing: undefined,
    unknown: finished,
    unfinished: found.filter(({ isFinished }) => !isFinished),
    misplaced: [],
    quarantined: await all(sounds.listQuarantined()),
    doomedCount: 0,
    clock: { aheadMs: 0, isBack: false },
    repairs: undefined,
    isClockReset: false,
  };
}
