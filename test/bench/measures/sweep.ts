import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import {
  type BenchOptions,
  type BenchResult,
  ratioOf,
  interleave,
  median,
  percentile,
} from "../bench-result.ts";
import { bigManifest } from "../big-wav.ts";
import { Child } from "../child.ts";
import { pairAlone } from "../paired-app.ts";
import type { BareUnlinkCalls } from "../processes/bare-unlink.ts";
import type { StatusCalls } from "../processes/status-calls.ts";
import type { SweepCalls } from "../processes/sweep.ts";

const IDLE_MS = 10_000;

/** Sweeps many expired packages, while an app polls its status. */
export async function benchSweep({ folder, isShort }: BenchOptions): Promise<BenchResult> {
  const count = isShort ? 2000 : 50_000;
  const dataFolder = join(folder, "relay");
  await using relay = new Child<SweepCalls>("sweep", { logPath: join(folder, "relay.log") });
  await using bare = new Child<BareUnlinkCalls>("bare-unlink");
  await using app = new Child<StatusCalls>("status-calls");
  const { url } = await relay.call("start", { dataFolder });
  const { client, token } = await pairAlone(url);
  const { package_id: id } = await client.announce(bigManifest(1, 1024));
  const job = { urls: [`${url}/packages/${id}/status`], token, perSecond: 500 };

  const idle: number[] = [];
  const meanwhile: number[] = [];
  const unlinked: number[] = [];
  const bareFolder = join(folder, "bare");
  const bareRate = async (how: "unlink" | "remove") => {
    await mkdir(bareFolder);
    const rate = await bare.call(how, { folder: bareFolder, count });
    await rm(bareFolder, { recursive: true });
    return rate;
  };
  const remove = async () => {
    unlinked.push(await bareRate("unlink"));
    return bareRate("remove");
  };
  const sweepOnce = async () => {
    await relay.call("fill", { dataFolder, count });
    await app.call("start", job);
    await sleep(isShort ? 1000 : IDLE_MS);
    idle.push(percentile(await app.call("stop", undefined), 0.999));
    await app.call("start", job);
    const swept = await relay.call("sweep", { dataFolder, count });
    meanwhile.push(percentile(await app.call("stop", undefined), 0.999));
    return swept;
  };
  const rounds = await interleave(isShort ? 1 : 3, remove, sweepOnce);
  const ratio = ratioOf(rounds);
  const unit = "files/s";
  return {
    name: "sweep",
    task: `${count.toLocaleString("en")} expired packages of one file each, while an app asks for a status 500 times a second.`,
    sides: [
      { name: "bare", unit, values: rounds.bare, peakMb: (await bare.usage()).peakMb },
      { name: "sweep", unit, values: rounds.ours, peakMb: (await relay.usage()).peakMb },
    ],
    figures: [
      { name: "sweep ÷ bare", value: ratio.value, atLeast: 0.8 },
      {
        name: "p99.9 of status calls, sweeping ÷ idle",
        value: median(meanwhile) / median(idle),
        atMost: 3,
      },
    ],
    notes: [
      "Bare: unlinks the same files and removes their folders, 8 at once, with one flush a thousand, without record or check.",
      "Sweep: all of it. The records say so, durably, files and folders are gone, flushed, and the keys struck off.",
      `Bare unlinks alone: ${median(unlinked).toFixed(0)} files/s.`,
      ratio.note,
      `p99.9 of status calls: idle ${median(idle).toFixed(1)} ms, sweeping ${median(meanwhile).toFixed(1)} ms.`,
    ],
  };
}
