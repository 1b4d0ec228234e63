import { readFile } from "node:fs/promises";
import { GUARDED } from "./guards.ts";
import type { Kind } from "./kinds.ts";
import type { ProcessCount } from "./measure-counts.ts";
import type { Machine } from "../format-result.ts";

/** The content of `results/counts.json`. */
export interface SavedCounts {
  readonly measured_on: Machine;
  readonly processes: readonly ProcessCount[];
}

const PATH = new URL("../results/counts.json", import.meta.url);

export async function readSavedCounts(): Promise<SavedCounts> {
  return JSON.parse(await readFile(PATH, "utf8")) as SavedCounts;
}

const MOST_GROWTH = 1.1;
/** Room for work that is done once a second and falls on some units. */
const SLACK = 0.05;

/**
 * Names each guarded count of these kinds that has grown by more than 10 %, or that is gone: then it may be the counting
 * that fails.
 */
export function changedCounts(
  saved: readonly ProcessCount[],
  now: readonly ProcessCount[],
  kinds: ReadonlySet<Kind>,
): readonly string[] {
  const changed: string[] = [];
  for (const { subject, process, unit, counts } of now) {
    const before = saved.find((one) => one.subject === subject && one.process === process);
    for (const kind of GUARDED[subject]?.[process] ?? []) {
      if (!kinds.has(kind)) continue;
      const [was, is] = [before?.counts[kind]?.least ?? 0, counts[kind]?.least ?? 0];
      const isGone = was > SLACK && is === 0;
      if (!isGone && is <= was * MOST_GROWTH + SLACK) continue;
      const how = isGone ? "are gone" : "grew";
      const from = `from ${formatCount(was)} to ${formatCount(is)}`;
      changed.push(`${subject}, ${process}: ${kind} ${how}, ${from} for one ${unit}.`);
    }
  }
  return changed;
}

export function formatCount(value: number): string {
  const digits = value < 100 ? 2 : 0;
  return value.toLocaleString("en", { maximumFractionDigits: digits });
}
