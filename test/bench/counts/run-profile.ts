import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { formatTable, type TableColumn } from "../../../core/text/text-table.ts";
import type { Child } from "../child.ts";
import { readProfile } from "./read-profile.ts";
import { countSystemCalls, type SystemCalls } from "./strace.ts";
import { IDLE, SUBJECTS } from "./subjects.ts";

/** The folder that keeps the profiles. */
const KEPT = join(import.meta.dirname, "../../../dist/bench-profiles");
const ROWS = 12;

/** Units of a profile: enough for some seconds. */
const UNITS: Readonly<Record<string, number>> = {
  upload: 20,
  import: 20,
  status: 60_000,
  announce: 6000,
  notice: 100,
  library: 3000,
  idle: 10,
};
/** The share of these that a short profile has, and each warm-up. */
const SHORT = 1 / 10;

const COLUMNS: readonly TableColumn[] = [
  { heading: "µs", align: "right" },
  { heading: "Share", align: "right" },
  { heading: "Where", align: "left" },
  { heading: "µs", align: "right" },
  { heading: "Function", align: "left" },
];

/** Profiles a subject: where its processor time goes, in microseconds, and its calls to the system by kind. */
export async function runProfile(
  name: string | undefined,
  { folder, isShort }: { readonly folder: string; readonly isShort: boolean },
): Promise<readonly string[]> {
  const subject = [...SUBJECTS, IDLE].find((one) => one.name === name);
  if (subject === undefined) {
    throw new Error(`What to profile? ${[...SUBJECTS, IDLE].map((one) => one.name).join(", ")}.`);
  }
  await using stack = new AsyncDisposableStack();
  const opened = await subject.open({ folder, isCounted: false, isBusy: true, stack });
  const few = Math.max(1, Math.round((UNITS[subject.name] ?? 1) * SHORT));
  const units = isShort ? few : (UNITS[subject.name] ?? 1);
  for (let warmUp = 0; warmUp < 2; warmUp += 1) await (await opened.prepare(few))();
  const kept = join(KEPT, subject.name);
  await rm(kept, { recursive: true, force: true });
  await mkdir(kept, { recursive: true });

  // Runs of their own: a process is slower while it is profiled, and much slower while its calls are counted.
  const children = Object.entries(opened.processes);
  const timed = await opened.prepare(units);
  const before = await processorTimes(children);
  await timed();
  const after = await processorTimes(children);
  const profiled = await opened.prepare(units);
  await Promise.all(children.map(([, child]) => child.probe("startProfile")));
  await profiled();
  const lines = [`${units} × ${subject.unit}; each figure is for one of them.`];
  for (const [index, [process, child]] of children.entries()) {
    const [all, main, threads] = (["all", "main", "threads"] as const).map((kind) =>
      print(((after[index]?.[kind] ?? NaN) - (before[index]?.[kind] ?? NaN)) / units),
    );
    lines.push(
      "",
      `${process}: ${all} µs of processor time: ${main} in its main thread, ${threads} in its other threads, the rest in Node's own.`,
      ...(await profileLines(child, join(kept, process), units)),
    );
  }
  for (const [process, child] of children) {
    const counted = await opened.prepare(few);
    const calls = await countSystemCalls(child.pid, join(folder, "strace"), counted);
    lines.push("", `${process}: ${describeCalls(calls, few)}`);
  }
  return [...lines, "", `Profiles: ${kept} (for Chrome's developer tools).`, ""];
}

function processorTimes(children: readonly (readonly [string, Child<object>])[]) {
  return Promise.all(children.map(([, child]) => child.probe("processorTime")));
}

async function profileLines(
  child: Child<object>,
  folder: string,
  units: number,
): Promise<readonly string[]> {
  const lines: string[] = [];
  for (const path of await child.probe("stopProfile", { folder })) {
    const { thread, micros, byFunction, byPlace } = await readProfile(path);
    // A thread that only waited.
    if (micros / units < 0.1) continue;
    const places = most(byPlace);
    const rows = most(byFunction).map(([name, own], index) => {
      const [place, all] = places[index] ?? ["", NaN];
      const [micro, share] =
        place === "" ? ["", ""] : [print(all / units), `${((all / micros) * 100).toFixed(0)} %`];
      return [micro, share, place, print(own / units), name];
    });
    lines.push(`  ${thread}: ${print(micros / units)} µs by the clock`);
    lines.push(...formatTable(COLUMNS, rows).map((line) => `    ${line}`));
  }
  return lines;
}

function describeCalls(calls: SystemCalls, units: number): string {
  if (typeof calls === "string") return calls;
  const each = most(calls)
    .filter(([, count]) => count / units >= 0.01)
    .map(([name, count]) => `${name} ${print(count / units)}`);
  const all = [...calls.values()].reduce((sum, count) => sum + count, 0);
  return `${print(all / units)} calls to the system: ${each.join(", ")}.`;
}

function most(sums: ReadonlyMap<string, number>): readonly (readonly [string, number])[] {
  return [...sums].toSorted(([, one], [, other]) => other - one).slice(0, ROWS);
}

function print(value: number): string {
  const digits = value < 10 ? 2 : value < 100 ? 1 : 0;
  return value.toLocaleString("en", { maximumFractionDigits: digits });
}
