import { type BenchOptions, type BenchResult, median } from "../bench-result.ts";
import { Child } from "../child.ts";
import type { PlaceCalls } from "../processes/place.ts";

/** Places 32 loops in the fake Live through the control surface; the baseline is what Live's calls take. */
export async function benchPlace({ folder, isShort }: BenchOptions): Promise<BenchResult> {
  await using child = new Child<PlaceCalls>("place");
  await child.call("place", { folder });
  const rounds = [];
  for (let round = 0; round < (isShort ? 2 : 7); round += 1) {
    rounds.push(await child.call("place", { folder }));
  }
  const ratios = rounds.map(({ callbacksMs, liveMs }) => callbacksMs / liveMs);
  const longest = rounds.map(({ longestMs }) => longestMs);
  const { peakMb } = await child.usage();
  const unit = "ms";
  return {
    name: "place",
    task: "32 loops in the fake Live, whose calls take as long as Live's may.",
    sides: [
      { name: "bare", unit, values: rounds.map(({ liveMs }) => liveMs), peakMb: 0 },
      { name: "callbacks", unit, values: rounds.map(({ callbacksMs }) => callbacksMs), peakMb: 0 },
      { name: "place", unit, values: rounds.map(({ ms }) => ms), peakMb },
    ],
    figures: [
      { name: "callbacks", value: Math.max(...rounds.map((each) => each.callbacks)), atMost: 59 },
      { name: "longest callback beside Live's own time, ms", value: median(longest), atMost: 50 },
      { name: "callbacks ÷ bare", value: median(ratios), atMost: 2 },
      { name: "violations", value: Math.max(...rounds.map((each) => each.violations)), atMost: 0 },
    ],
    notes: [
      "Bare: the time of Live's own calls in the same run, which the fake sleeps.",
      "Place: from the host's request to its report, at Live's 100 ms a tick.",
      `Longest callback in any round: ${Math.max(...longest).toFixed(1)} ms.`,
    ],
  };
}
