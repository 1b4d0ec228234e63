import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { connect } from "node:net";
import { join } from "node:path";
import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import { type BenchOptions, type BenchResult, median, percentile } from "../bench-result.ts";
import { freePort } from "../../engines/free-port.ts";
import { Child } from "../child.ts";
import type { RelayCalls } from "../processes/relay.ts";
import type { SocketsCalls } from "../processes/sockets.ts";

const COMMAND = join(import.meta.dirname, "../../../cli/soundferry.ts");
/** A successor has read its program and waits for the folder by then. */
const WAITING_MS = 3000;

/** Measures the time without a listener while one relay replaces another on the same folder and port (rule K11). */
export async function benchRestart({ folder, isShort }: BenchOptions): Promise<BenchResult> {
  const port = await freePort();
  let relay = startRelay(folder, port);
  const gaps: number[] = [];
  try {
    await once(relay.stdout ?? relay, "data");
    for (let round = 0; round < (isShort ? 2 : 9); round += 1) {
      const successor = startRelay(folder, port);
      const ready = once(successor.stdout ?? successor, "data");
      await sleep(WAITING_MS);
      relay.kill("SIGTERM");
      relay = successor;
      gaps.push(await gapAt(port));
      await ready;
    }
  } finally {
    relay.kill("SIGINT");
    await once(relay, "exit");
  }
  return {
    name: "restart",
    task: `${gaps.length} relays, each replaced by one that waits for the folder; connections are tried all the time.`,
    sides: [{ name: "without a listener", unit: "ms", values: gaps, peakMb: 0 }],
    figures: [{ name: "median, ms", value: median(gaps), atMost: 1000 }],
    notes: [`The longest was ${percentile(gaps, 1).toFixed(0)} ms.`],
  };
}

function startRelay(folder: string, port: number): ChildProcess {
  const place = ["--port", String(port), "--data", join(folder, "relay")];
  const words = [COMMAND, "relay", "--json", ...place, "--wait-for-lock-s", "60"];
  return spawn(process.execPath, words, { stdio: ["ignore", "pipe", "ignore"] });
}

/** From the last connection that was accepted until the first one after the others were refused. */
async function gapAt(port: number): Promise<number> {
  let lastAt = performance.now();
  for (let wasRefused = false; ; await nextTurn()) {
    const isAccepted = await accepts(port);
    const now = performance.now();
    if (isAccepted && wasRefused) return now - lastAt;
    if (isAccepted) lastAt = now;
    else wasRefused = true;
  }
}

async function accepts(port: number): Promise<boolean> {
  const connection = connect(port, "127.0.0.1");
  try {
    await once(connection, "connect");
    return true;
  } catch {
    return false;
  } finally {
    connection.destroy();
  }
}

/** A storm that takes longer than this is none any more. */
const LONGEST_STORM_MS = 120_000;

/**
 * Measures what one relay holds: the sockets of many importers, each with its memory, and how long it takes until all of them are
 * back after a restart (rule I3: each waits a random time that grows with every failure).
 */
export async function benchSockets({ folder, isShort }: BenchOptions): Promise<BenchResult> {
  const count = isShort ? 500 : 10_000;
  const dataFolder = join(folder, "relay");
  const log = join(folder, "relay.log");
  await using sockets = new Child<SocketsCalls>("sockets");
  let relay = new Child<RelayCalls>("relay", { logPath: log });
  const storms: number[] = [];
  const refusals: number[] = [];
  let perSocketKb = 0;
  let peakMb = 0;
  try {
    const { url } = await relay.call("start", { dataFolder });
    const before = (await relay.usage()).residentMb;
    await sockets.call("start", { url, count });
    const usage = await relay.usage();
    perSocketKb = ((usage.residentMb - before) * 1000) / count;
    for (let round = 0; round < (isShort ? 1 : 3); round += 1) {
      await relay[Symbol.asyncDispose]();
      await sockets.call("reset", undefined);
      relay = new Child<RelayCalls>("relay", { logPath: log });
      const startedAt = Date.now();
      await relay.call("start", { dataFolder, port: Number(new URL(url).port) });
      const { latestAt, refused } = await untilBack(sockets, count);
      storms.push(latestAt - startedAt);
      refusals.push(refused);
    }
    peakMb = (await relay.usage()).peakMb;
  } finally {
    await relay[Symbol.asyncDispose]();
  }
  return {
    name: "sockets",
    task: `${count} importers' sockets at one relay, which is then stopped and started again.`,
    sides: [{ name: "until all are back", unit: "ms", values: storms, peakMb }],
    figures: [{ name: "memory for each, kB", value: perSocketKb, atMost: 60 }],
    notes: [
      `Attempts that failed meanwhile: ${refusals.join(", ")}.`,
      "Each socket is one of a device of its own, of which 50 share a client address. Memory is what the relay's process grew by.",
    ],
  };
}

async function untilBack(sockets: Child<SocketsCalls>, count: number) {
  const until = Date.now() + LONGEST_STORM_MS;
  for (;;) {
    const counts = await sockets.call("counts", undefined);
    if (counts.open === count) return counts;
    if (Date.now() > until) throw new Error(`Only ${counts.open} of ${count} sockets came back.`);
    await sleep(20);
  }
}
