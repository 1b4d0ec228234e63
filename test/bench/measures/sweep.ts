import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import {
  type BenchOptions,
  type BenchResult,
  ratioOf,
  interleave,
  percentile,
} from "../bench-result.ts";
import { bigManifest } from "../big-wav.ts";
import { Child } from "../child.ts";
import { pairAlone } from "../paired-app.ts";
import type { BareUnlinkCalls } from "../processes/bare-unlink.ts";
import type { StatusCalls } from "../processes/status-calls.ts";
import type { SweepCalls } from "../processes/sweep.ts";

const IDLE_MS = 2000;

/** Sweeps many expired packages, while an app polls its status. */
export async function benchSweep({ folder, isShort }: BenchOptions): Promise<BenchResult> {
  const count = isShort ? 2000 : 5000;
  const measured = isShort ? 1 : 7;
  const dataFolder = join(folder, "relay");
  await using relay = new Child<SweepCalls>("sweep", { logPath: join(folder, "relay.log") });
  await using bare = new Child<BareUnlinkCalls>("bare-unlink");
  await using app = new Child<StatusCalls>("status-calls");
  const { url } = await relay.call("start", { dataFolder });
  const { client, token } = await pairAlone(url);
  const { package_id: id } = await client.announce(bigManifest(1, 1024));
  const job = { urls: [`${url}/packages/${id}/status`], token, perSecond: 500 };

  const bareFolder = join(folder, "bare");
  // The first round warms up.
  const filling = { count, rounds: measured + 1 };
  await bare.call("fill", { ...filling, dataFolder: bareFolder });
  await relay.call("fill", { ...filling, dataFolder });

  const idle: number[] = [];
  const meanwhile: number[] = [];
  const sweepOnce = async () => {
    await app.call("start", job);
    await sleep(isShort ? 1000 : IDLE_MS);
    idle.push(...(await app.call("stop", undefined)));
    await app.call("start", job);
    const swept = await relay.call("sweep", { dataFolder, count });
    meanwhile.push(...(await app.call("stop", undefined)));
    return swept;
  };
  const rounds = await interleave(measured, () => bare.call("remove", bareFolder), sweepOnce);
  const [idleMs, sweepingMs] = [percentile(idle, 0.999), percentile(meanwhile, 0.999)];
  const ratio = ratioOf(rounds);
  const unit = "files/s";
  return {
    name: "sweep",
    task: `${count.toLocaleString("en")} expired packages of one file each a round, while an app asks for a status 500 times a second.`,
    sides: [
      { name: "bare", unit, values: rounds.bare, peakMb: (await bare.usage()).peakMb },
      { name: "sweep", unit, values: rounds.ours, peakMb: (await relay.usage()).peakMb },
    ],
    figures: [
      { name: "sweep ÷ bare", value: ratio.value, atLeast: 0.8 },
      {
        name: "p99.9 of status calls, sweeping ÷ idle",
        value: sweepingMs / idleMs,
        atMost: 3,
      },
    ],
    notes: [
      "Bare: unlinks the same files and removes their folders, 8 at once, with one flush a thousand, without record or check.",
      "Sweep: all of it. The records say so, durably, files and folders are gone, flushed, and the keys struck off.",
      ratio.note,
      `p99.9 of status calls: idle ${idleMs.toFixed(1)} ms, sweeping ${sweepingMs.toFixed(1)} ms.`,
    ],
  };
}
