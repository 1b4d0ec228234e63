import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { canCount, countEvents } from "./instructions.ts";
import { type Done, type Kind, KIND_NAMES, KINDS, readDone } from "./kinds.ts";
import type { OpenSubject, Subject } from "./subjects.ts";

/** One count of one process, for one unit of work: the least and the most of the rounds. */
export interface Count {
  readonly least: number;
  readonly most: number;
}

/** The counts of a process for one unit of a subject. Kinds that it never does are left out. */
export interface ProcessCount {
  readonly subject: string;
  readonly unit: string;
  readonly process: string;
  readonly counts: Readonly<Partial<Record<Kind, Count>>>;
  /** Null where they can't be counted. */
  readonly instructions: number | null;
}

/**
 * Counts what the processes of a subject do for one unit, after a warm-up. Counts only ever rise with the load of the
 * machine, by what happens once a second and by pieces that come in smaller parts: the least of the rounds is the work
 * itself.
 */
export async function countSubject(
  subject: Subject,
  folder: string,
): Promise<readonly ProcessCount[]> {
  const { warmUps, rounds, units } = subject.work;
  const place = join(folder, `counts-${subject.name}`);
  await mkdir(place);
  await using stack = new AsyncDisposableStack();
  const opened = await subject.open({ folder: place, isCounted: true, isBusy: false, stack });
  for (let round = 0; round < warmUps; round += 1) await (await opened.prepare(units))();
  const measured: ReadonlyMap<string, KindCounts>[] = [];
  for (let round = 0; round < rounds; round += 1) measured.push(await countRound(opened, units));
  const instructions = canCount() ? await countInstructions(opened, units) : undefined;
  return Object.keys(opened.processes).map((process) => ({
    subject: subject.name,
    unit: subject.unit,
    process,
    counts: spreadOf(measured.map((round) => round.get(process))),
    instructions: instructions?.get(process) ?? null,
  }));
}

type KindCounts = ReadonlyMap<Kind, number>;

async function countRound(
  { processes, prepare }: OpenSubject,
  units: number,
): Promise<ReadonlyMap<string, KindCounts>> {
  const act = await prepare(units);
  const before = new Map<string, Done>();
  for (const [name, child] of Object.entries(processes)) before.set(name, await readDone(child));
  await act();
  const counts = new Map<string, KindCounts>();
  for (const [name, child] of Object.entries(processes)) {
    const after = await readDone(child);
    const was = before.get(name) ?? after;
    counts.set(
      name,
      new Map(KIND_NAMES.map((kind) => [kind, (KINDS[kind](after) - KINDS[kind](was)) / units])),
    );
  }
  return counts;
}

function spreadOf(rounds: readonly (KindCounts | undefined)[]): ProcessCount["counts"] {
  const counts: Partial<Record<Kind, Count>> = {};
  for (const kind of KIND_NAMES) {
    const values = rounds.map((round) => round?.get(kind) ?? NaN);
    const [least, most] = [Math.min(...values), Math.max(...values)];
    if (most > 0) counts[kind] = { least, most };
  }
  return counts;
}

async function countInstructions({ processes, prepare }: OpenSubject, units: number) {
  const counts = new Map<string, number>();
  for (const [name, child] of Object.entries(processes)) {
    const act = await prepare(units);
    counts.set(name, (await countEvents(child.pid, act)) / units);
  }
  return counts;
}
