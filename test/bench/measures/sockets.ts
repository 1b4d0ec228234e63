import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { BenchOptions, BenchResult } from "../bench-result.ts";
import { Child } from "../child.ts";
import type { RelayCalls } from "../processes/relay.ts";
import type { SocketsCalls } from "../processes/sockets.ts";

/** A storm that takes longer than this is none any more. */
const LONGEST_STORM_MS = 120_000;

/**
 * Measures the capacity of one relay: the sockets of many importers, each with its memory, and the time until all of
 * them are back after a restart (rule I3: each waits a random time that grows with every failure).
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
