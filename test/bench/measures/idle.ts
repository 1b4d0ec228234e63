import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { buildLibrary } from "../../../scripts/build-package.ts";
import type { BenchOptions, BenchResult } from "../bench-result.ts";

const COMMAND = join(import.meta.dirname, "../../../dist/lib/cli/soundferry.cjs");
/** The start's work, its first sweeps, and V8's own collections are over by then. */
const SETTLED_MS = 65_000;
const IDLE_MS = 60_000;
/** Unit of the processor times in `/proc`, the same on all systems that Node runs on. */
const TICK_MS = 10;

/** Measures a built relay and importer, as `soundferry up` runs them, while nothing happens. Linux only. */
export async function benchIdle({ folder, isShort }: BenchOptions): Promise<BenchResult> {
  await buildLibrary();
  const first = await startUp(join(folder, "first"), "0");
  await run(first.child, async () => {});
  const idleMs = isShort ? 10_000 : IDLE_MS;
  // Like most starts it finds its address, its database, its ballast and its compiled code.
  const second = await startUp(join(folder, "first"), first.port);
  const [before, after] = await run(second.child, async (pid) => {
    await sleep(isShort ? 10_000 : SETTLED_MS);
    const settled = await usageOf(pid);
    await sleep(idleMs);
    return [settled, await usageOf(pid)] as const;
  });
  const bare = await run(startBare(), async (pid) => {
    await sleep(1000);
    return usageOf(pid);
  });
  const share = (after.processorMs - before.processorMs) / idleMs;
  return {
    name: "idle",
    task: `A relay and an importer in one process for ${idleMs / 1000} s, with nothing to do.`,
    sides: [],
    figures: [
      { name: "resident memory, MB", value: after.residentMb, atMost: 110 },
      { name: "share of one core, %", value: share * 100, atMost: 0.2 },
      { name: "kB written", value: (after.writtenBytes - before.writtenBytes) / 1000, atMost: 0 },
    ],
    notes: [
      `Of the memory, ${after.ownMb.toFixed(0)} MB are its own; the rest are pages of files, mostly of Node, which all Nodes share.`,
      `Node with nothing to run: ${bare.residentMb.toFixed(0)} MB, ${bare.ownMb.toFixed(0)} its own.`,
      `Threads woke ${(((after.wakeups - before.wakeups) * 1000) / idleMs).toFixed(1)} times a second.`,
      "Written is when the importer was last seen, once in 30 s.",
    ],
  };
}

function startBare(): ChildProcess {
  return spawn(process.execPath, ["-e", "setInterval(() => {}, 2 ** 30)"], { stdio: "ignore" });
}

/** Starts both at a port of the relay, and waits until they are ready. */
async function startUp(
  folder: string,
  port: string,
): Promise<{ readonly child: ChildProcess; readonly port: string }> {
  await mkdir(folder, { recursive: true });
  const places = ["data", "importer-data", "sounds"].flatMap((name) => [
    `--${name}`,
    join(folder, name),
  ]);
  const words = [COMMAND, "up", "--no-open", "--json", "--port", port, "--panel-port", "0"];
  const child = spawn(process.execPath, [...words, ...places], {
    stdio: ["ignore", "pipe", "ignore"],
    env: { ...process.env, TMPDIR: folder },
  });
  const [line]: readonly unknown[] = await once(child.stdout, "data");
  return { child, port: new URL(JSON.parse(String(line)).relay_url).port };
}

async function run<Result>(
  child: ChildProcess,
  measure: (pid: number) => Promise<Result>,
): Promise<Result> {
  const ended = once(child, "exit");
  try {
    return await measure(child.pid ?? 0);
  } finally {
    child.kill("SIGTERM");
    await ended;
  }
}

interface ProcessUse {
  readonly residentMb: number;
  /** The part of it that is not of files. */
  readonly ownMb: number;
  readonly processorMs: number;
  /** Number of times that its threads have waited. */
  readonly wakeups: number;
  /** Bytes that went to disks. */
  readonly writtenBytes: number;
}

/** Reads what a process has used so far. */
async function usageOf(pid: number): Promise<ProcessUse> {
  const folder = `/proc/${pid}`;
  const status = await readFile(`${folder}/status`, "utf8");
  const threads = await readdir(`${folder}/task`);
  const waits = await Promise.all(
    threads.map(async (thread) => {
      const text = await readFile(`${folder}/task/${thread}/status`, "utf8");
      return numberIn(text, "voluntary_ctxt_switches");
    }),
  );
  const stat = (await readFile(`${folder}/stat`, "utf8")).split(") ")[1]?.split(" ") ?? [];
  return {
    residentMb: (numberIn(status, "VmRSS") * 1024) / 1e6,
    ownMb: (numberIn(status, "RssAnon") * 1024) / 1e6,
    processorMs: (Number(stat[11]) + Number(stat[12])) * TICK_MS,
    wakeups: waits.reduce((sum, count) => sum + count, 0),
    writtenBytes: numberIn(await readFile(`${folder}/io`, "utf8"), "write_bytes"),
  };
}

function numberIn(text: string, name: string): number {
  return Number(new RegExp(String.raw`^${name}:\s*(\d+)`, "m").exec(text)?.[1]);
}
