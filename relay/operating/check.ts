import type {
  QuarantinedSound,
  Records,
  SoundKeys,
  StoredSound,
  StoreUpkeep,
} from "../domain/ports.ts";
import { foundDatabase, foundSounds } from "../domain/upkeep/bind-stores.ts";
import { judgeInstance, type MismatchReason } from "../domain/upkeep/judge-instance.ts";
import {
  findLostFiles,
  findMisplacedSounds,
  findUnknownSounds,
  type LostFiles,
} from "../domain/upkeep/reconcile.ts";
import { DiskSoundStore } from "../storage/disk/disk-sound-store.ts";
import { hasDatabase } from "../storage/sqlite/open-database.ts";
import { openRecordsBeside } from "../storage/sqlite/records-beside.ts";
import { damageOf, openReadOnly } from "./folder-database.ts";
import type { OperatedSounds } from "./open-operated.ts";
import { repair, type Repairs } from "./repair.ts";

export interface CheckOptions extends CheckTask {
  readonly dataFolder: string;
  /** Sounds in place of the folder's own. */
  readonly sounds?: OperatedSounds;
}

/** The work besides looking. */
export interface CheckTask {
  readonly isRepairing?: boolean;
  readonly isResettingClock?: boolean;
  /** The machine's clock, in milliseconds since 1970. */
  readonly wall?: () => number;
}

/** Records and sounds, wherever they are. */
interface CheckedStores extends Pick<Records, "packages" | "soundKeys"> {
  readonly upkeep: StoreUpkeep;
  readonly sounds: OperatedSounds;
}

/** The differences between the records and the sounds. */
export interface Findings {
  /** Reason why a relay would refuse to start; undefined if it would start. */
  readonly mismatch: MismatchReason | undefined;
  readonly instanceId: string | undefined;
  readonly soundsInstanceId: string | undefined;
  /** Number of finished sounds in their place. */
  readonly soundCount: number;
  /** SQLite's findings in a damaged database. */
  readonly damage: readonly string[];
  readonly lost: readonly LostFiles[];
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
}

interface ClockFinding {
  /** Milliseconds by which the relay's kept time is ahead of the machine's clock; negative if it is behind. */
  readonly aheadMs: number;
  /** True if the machine's clock was set back by more than an hour. */
  readonly isBack: boolean;
}

export interface CheckResult extends Findings {
  readonly repairs: Repairs | undefined;
  readonly isClockReset: boolean;
}

const HOUR_MS = 3_600_000;
const DOOMED_BATCH = 1000;

/**
 * Compares the records of a data folder with its sounds, both ways. Works beside a running relay, too (rule Z9).
 * @throws {Error} a sentence if there is nothing to check
 */
export async function check(options: CheckOptions): Promise<CheckResult> {
  const { dataFolder, isRepairing = false, isResettingClock = false } = options;
  // A running relay whose sounds are away would continue in a new folder.
  const sounds = options.sounds ?? DiskSoundStore.openReadOnly(dataFolder);
  if (!hasDatabase(dataFolder)) return refuseOr(sounds, dataFolder);
  const damage = damageOf(dataFolder);
  // A damaged database can't be trusted.
  if (damage.length > 0)
    return { ...(await findWithoutDatabase(sounds)), mismatch: undefined, damage };
  using records = openRecordsBeside(dataFolder, { mayWrite: isRepairing || isResettingClock });
  const { packages, soundKeys, upkeep } = records;
  return await checkStores({ packages, soundKeys, upkeep, sounds }, options);
}

/** Compares records with sounds, both ways. Asks for everything twice, so that changes meanwhile are no findings. */
export async function checkStores(
  stores: CheckedStores,
  { isRepairing = false, isResettingClock = false, wall = () => Date.now() }: CheckTask,
): Promise<CheckResult> {
  const findings = await find(stores, wall);
  const repairs =
    isRepairing && findings.mismatch === undefined
      ? await repair(stores, findings, wall())
      : undefined;
  if (isResettingClock) await stores.upkeep.resetTime(wall());
  return { ...findings, repairs, isClockReset: isResettingClock };
}

async function find(stores: CheckedStores, wall: () => number): Promise<Findings> {
  const { upkeep, sounds, soundKeys } = stores;
  const verdict = judgeInstance(await foundDatabase(stores), await foundSounds(stores));
  const unknown = await askTwice(
    () => findUnknownSounds(stores),
    ({ key }) => key,
  );
  const misplaced = await askTwice(
    () => findMisplacedSounds(stores),
    ({ key }) => key,
  );
  const lost = await askTwice(
    () => findLostFiles(stores),
    (one) => JSON.stringify([one.packageId, ...one.files]),
  );
  const known = new Set(misplaced.map(({ key }) => key));
  const quarantined = (await all(sounds.listQuarantined())).filter(({ key }) => !known.has(key));
  const aheadMs = ((await upkeep.readTime()) ?? wall()) - wall();
  return {
    mismatch: verdict.kind === "refuse" ? verdict.reason : undefined,
    instanceId: (await upkeep.readInstance())?.instanceId,
    soundsInstanceId: await sounds.readInstance(),
    soundCount: (await all(sounds.list())).filter(({ isFinished }) => isFinished).length,
    damage: [],
    // A quarantined sound that a record knows is not lost.
    lost: lost.filter(({ files }) => [...files.values()].some((key) => !known.has(key))),
    unknown: unknown.filter(({ isFinished }) => isFinished),
    unfinished: unknown.filter(({ isFinished }) => !isFinished),
    misplaced,
    quarantined,
    doomedCount: await countDoomed(soundKeys),
    clock: { aheadMs, isBack: aheadMs > HOUR_MS },
  };
}

async function countDoomed(soundKeys: SoundKeys): Promise<number> {
  let count = 0;
  let after: string | undefined;
  for (;;) {
    const keys = await soundKeys.listDoomed({ after, limit: DOOMED_BATCH });
    if (keys.length === 0) return count;
    count += keys.length;
    after = keys.at(-1);
  }
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

async function all<Item>(items: AsyncIterable<Item>): Promise<readonly Item[]> {
  const found: Item[] = [];
  for await (const item of items) found.push(item);
  return found;
}

/** Checks a folder without a database. @throws {Error} a sentence if it has no sounds either */
async function refuseOr(sounds: OperatedSounds, dataFolder: string): Promise<CheckResult> {
  const verdict = judgeInstance(undefined, await foundSounds({ sounds }));
  if (verdict.kind === "refuse") {
    return { ...(await findWithoutDatabase(sounds)), mismatch: verdict.reason };
  }
  openReadOnly(dataFolder).close();
  throw new Error(`The database in ${dataFolder} is empty.`);
}

async function findWithoutDatabase(sounds: OperatedSounds): Promise<CheckResult> {
  const found = await all(sounds.list());
  const finished = found.filter(({ isFinished }) => isFinished);
  return {
    mismatch: undefined,
    instanceId: undefined,
    soundsInstanceId: await sounds.readInstance(),
    soundCount: finished.length,
    damage: [],
    lost: [],
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
