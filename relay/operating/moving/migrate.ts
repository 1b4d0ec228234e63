import { randomUUID } from "node:crypto";
import { packageOfKey } from "../../domain/ports.ts";
import { InstanceMismatch } from "../../domain/upkeep/instance-mismatch.ts";
import { markLost } from "../../domain/upkeep/reconcile.ts";
import { requireAlone } from "../../storage/postgres/other-processes.ts";
import { countRows } from "../../storage/records/copy.ts";
import type { CopyState } from "../../storage/records/copy-state.ts";
import { type CheckResult, checkStores } from "../check.ts";
import { claimTarget } from "./claim-target.ts";
import { compareRows, finishRows, moveRows } from "./move-rows.ts";
import type { MoveStores, MoveSource } from "./move-stores.ts";
import { countSounds, type MovedPartials, movePartials, moveSounds } from "./move-sounds.ts";

export interface MigrateOptions {
  /** The stores that the relay leaves; the caller closes them, and the others. */
  readonly source: MoveSource;
  readonly target: MoveStores;
  /** Lists lost and damaged files as missing, so that their apps can send them again. */
  readonly isRepairing?: boolean;
  readonly onProgress?: (progress: MigrateProgress) => void;
  /** Called if it must wait until it is certain that no relay runs. */
  readonly onWait?: () => void;
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
  /** Number of sounds in the quarantine, which stays at the source. */
  readonly quarantined: number;
}

/**
 * Moves a stopped relay to another place (rules SC21 to SC23). It can be stopped at any point and run again. Sounds come
 * first, so that no record at the target names missing bytes; the target's sounds get the relay's id last.
 * @throws {Error} a sentence that says what is in the way
 */
export async function migrate(options: MigrateOptions): Promise<MigrateResult> {
  const { source, target, isRepairing = false } = options;
  await requireAlone(source.records.engine, options);
  const quarantined = requireWell(await source.check(isRepairing), isRepairing);
  const { instance } = await source.records.upkeep.read();
  if (instance === undefined) throw new Error(`No relay has served from ${source.place} yet.`);
  const { instanceId } = instance;
  const mark = await source.readMark();
  if (mark?.state === "moved" && mark.to !== target.place) {
    throw new InstanceMismatch("moved", `The relay in ${source.place} has moved to ${mark.to}.`);
  }
  const id = mark?.id ?? randomUUID();
  const state = await claimTarget(target, { id, instanceId });
  const isNew = state.at !== "done";
  await source.writeMark({ id, state: "moving", to: target.place });
  try {
    // A relay that starts looks for the mark after it can be seen itself.
    await requireAlone(source.records.engine, options);
  } catch (error) {
    await source.writeMark(mark);
    throw error;
  }
  const moved = isNew ? await moveAll(options, state) : NOTHING;
  await target.sounds.keepInstance(instanceId);
  await source.writeMark({ id, state: "moved", to: target.place });
  return { instanceId, isNew, quarantined, ...(await countsOf(target)), ...moved };
}

type Moved = Pick<MigrateResult, "damaged" | "partials" | "restartedFiles">;

const NOTHING: Moved = { damaged: [], partials: 0, restartedFiles: 0 };

/**
 * Judges a check of the source.
 * @returns the number of sounds in the quarantine
 * @throws {Error} a sentence if the check finds something
 */
function requireWell(found: CheckResult, isRepairing: boolean): number {
  const { mismatch, damage, lost, unknown, misplaced, quarantined, repairs } = found;
  const isWell =
    mismatch === undefined &&
    damage.length === 0 &&
    ((isRepairing && repairs !== undefined) ||
      [lost, unknown, misplaced].every((each) => each.length === 0));
  if (isWell) return quarantined.length + (repairs?.quarantined.length ?? 0);
  throw new Error(
    "Database and sounds here don't agree. Nothing was moved. See: soundferry relay check. With --repair, lost files " +
      "are listed as missing there, and sounds that the database doesn't know stay in the quarantine here.",
  );
}

async function moveAll(options: MigrateOptions, begun: CopyState): Promise<Moved> {
  const { source, target, signal, onProgress = () => {} } = options;
  const counts = await countsOf(source);
  let [done, bytes, rows] = [0, 0, 0];
  const onSound = (copied: number) => {
    [done, bytes] = [done + 1, bytes + copied];
    onProgress({ step: "sounds", done, all: counts.sounds, bytes });
  };
  const moving = { from: source, to: target.sounds, onSound, signal };
  const damaged = await moveSounds(moving);
  await takeOut(damaged, options);
  const partials: MovedPartials = await movePartials(moving);
  const onRows = (count: number) =>
    onProgress({ step: "rows", done: (rows += count), all: counts.rows, bytes });
  const { dropped } = partials;
  const copying = {
    from: source.records.engine,
    to: target.records.engine,
    dropped,
    onRows,
    signal,
  };
  const state = await moveRows(copying, begun);
  const differences = await compareRows(copying);
  if (differences.length > 0) throw new Error(formatDifferences(differences));
  await requireSame(target);
  await finishRows(copying, state);
  return { damaged, partials: partials.copied, restartedFiles: partials.restarted };
}

/** Takes damaged sounds out of their packages in the source, before their records move. */
async function takeOut(
  damaged: readonly string[],
  { source: { records, sounds }, isRepairing = false }: MigrateOptions,
): Promise<void> {
  if (damaged.length > 0 && !isRepairing) {
    throw new Error(
      `${damaged.length} sounds aren't what was sent, so probably damaged where they were stored, such as ${damaged[0]}. ` +
        "With --repair, their packages list them as missing, so that their apps can send them again.",
    );
  }
  const { packages, soundKeys, upkeep } = records;
  const since = Math.max(Date.now(), (await upkeep.read()).time ?? 0);
  for (const key of damaged) {
    const packageId = packageOfKey(key);
    const uploaded = (await packages.find(packageId))?.uploaded ?? new Map<string, string>();
    const files = new Map([...uploaded].filter(([, one]) => one === key));
    await markLost({ packages, soundKeys, sounds }, { packageId, files }, since);
  }
}

/**
 * Compares the target as `relay check` does. Sounds that an earlier move left there are deleted.
 * @throws {Error} a sentence
 */
async function requireSame(target: MoveStores): Promise<void> {
  let found = await checkStores(target);
  const leftover = [...found.unknown, ...found.unfinished].map(({ key }) => key);
  if (leftover.length > 0) {
    await target.sounds.delete(leftover);
    found = await checkStores(target);
  }
  const { lost, unknown, misplaced } = found;
  if ([lost, unknown, misplaced].every((each) => each.length === 0)) return;
  throw new Error(
    `Not everything is there: ${lost.length} packages lack files, and ${unknown.length + misplaced.length} sounds ` +
      "have no record. Does another program change that place? Run the same command again.",
  );
}

function formatDifferences(differences: readonly string[]): string {
  return (
    "The records there differ from those here, so the relay was not moved. Does another program change that database? " +
    `Choose an empty one.\n${differences.map((line) => `  ${line}`).join("\n")}`
  );
}

async function countsOf({ records: { engine } }: MoveStores) {
  const counts = await engine.readSlowly(countRows());
  return {
    devices: counts.get("devices") ?? 0,
    packages: counts.get("packages") ?? 0,
    rows: [...counts.values()].reduce((sum, n) => sum + n, 0),
    ...(await countSounds(engine)),
  };
}
