import { join } from "node:path";
import {
  type BenchOptions,
  type BenchResult,
  ratioOf,
  interleave,
  median,
} from "../bench-result.ts";
import { Child } from "../child.ts";
import type { AnnounceCalls } from "../processes/announce.ts";

const EARLIER = 100_000;
const EARLIER_IN_SHORT = 5000;

/** Announces into an empty database and into one with a day's announcements from the same address. */
export async function benchAnnounce({ folder, isShort }: BenchOptions): Promise<BenchResult> {
  const earlier = isShort ? EARLIER_IN_SHORT : EARLIER;
  const count = isShort ? 500 : 3000;
  await using empty = new Child<AnnounceCalls>("announce");
  await using full = new Child<AnnounceCalls>("announce");
  const fullFolder = join(folder, "full");
  await full.call("open", { folder: fullFolder, earlier });

  let round = 0;
  const cpuPerCall = { empty: new Array<number>(), full: new Array<number>() };
  const announce = async (child: typeof empty, into: string, costs: number[]) => {
    const before = await child.usage();
    const perSecond = await child.call("announce", { folder: into, count, round });
    costs.push(((await child.usage()).cpuMs - before.cpuMs) / count);
    return perSecond;
  };
  const announceIntoEmpty = async () => {
    const emptyFolder = join(folder, `empty-${(round += 1)}`);
    await empty.call("open", { folder: emptyFolder, earlier: 0 });
    const perSecond = await announce(empty, emptyFolder, cpuPerCall.empty);
    await empty.call("close", { folder: emptyFolder });
    return perSecond;
  };
  const announceIntoFull = () => announce(full, fullFolder, cpuPerCall.full);
  const rounds = await interleave(isShort ? 2 : 7, announceIntoEmpty, announceIntoFull);
  await full.call("close", { folder: fullFolder });
  const ratio = ratioOf(rounds);
  const unit = "calls/s";
  const many = earlier.toLocaleString("en");
  return {
    name: "announce",
    task: `${count.toLocaleString("en")} announcements of 8 sounds by 32 callers at once, stored durably.`,
    sides: [
      { name: "bare", unit, values: rounds.bare, peakMb: (await empty.usage()).peakMb },
      { name: `after ${many}`, unit, values: rounds.ours, peakMb: (await full.usage()).peakMb },
    ],
    figures: [
      { name: `after ${many} ÷ bare`, value: ratio.value, atLeast: 0.8 },
      {
        name: `processor time after ${many} ÷ bare`,
        value: median(cpuPerCall.full) / median(cpuPerCall.empty),
        atMost: 1.25,
      },
    ],
    notes: [
      "Bare: a new, empty database for each round.",
      `After ${many}: announcements of the last hour by other apps, all from the same address, none uploaded.`,
      ratio.note,
      `Processor time of one announcement: bare ${microseconds(cpuPerCall.empty)}, after ${many} ${microseconds(cpuPerCall.full)}.`,
    ],
  };
}

function microseconds(costs: readonly number[]): string {
  return `${(median(costs) * 1000).toFixed(0)} µs`;
}
