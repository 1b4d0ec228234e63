import { join } from "node:path";
import {
  type BenchResult,
  type BenchOptions,
  ratioOf,
  interleave,
  median,
} from "../bench-result.ts";
import { LARGEST_BYTES, writeBigWavs } from "../big-wav.ts";
import { Child } from "../child.ts";
import type { GainedCopyCalls } from "../processes/gained-copy.ts";
import type { PlainCopyCalls } from "../processes/plain-copy.ts";

const SHORT_BYTES = 32_000_000;

/** Copies a WAV with a gain applied to its samples; the baseline is a minimal copy that flushes. */
export async function benchGainedCopy({ folder, isShort }: BenchOptions): Promise<BenchResult> {
  const sizeBytes = isShort ? SHORT_BYTES : LARGEST_BYTES;
  await using bare = new Child<PlainCopyCalls>("plain-copy");
  await using ours = new Child<GainedCopyCalls>("gained-copy");
  const sounds = join(folder, "sounds");
  await writeBigWavs(sounds, 1, sizeBytes);
  const from = join(sounds, "sound-1.wav");
  const { residentMb } = await ours.usage();
  const blockedMs = { bare: new Array<number>(), ours: new Array<number>() };
  const copyPlainly = async () => {
    const { ms, longestBlockMs } = await bare.call("copy", { from });
    blockedMs.bare.push(longestBlockMs);
    return ms;
  };
  const copyGained = async () => {
    const { ms, longestBlockMs } = await ours.call("copy", { from });
    blockedMs.ours.push(longestBlockMs);
    return ms;
  };
  const rounds = await interleave(isShort ? 2 : 7, copyPlainly, copyGained);
  const ratio = ratioOf(rounds);
  const { peakMb } = await ours.usage();
  const unit = "ms";
  const longest = (holds: readonly number[]) => Math.max(...holds).toFixed(1);
  return {
    name: "gained-copy",
    task: `A 16-bit WAV of ${sizeBytes.toLocaleString("en")} bytes, with a gain, as 32-bit float.`,
    sides: [
      { name: "bare", unit, values: rounds.bare, peakMb: (await bare.usage()).peakMb },
      { name: "gained copy", unit, values: rounds.ours, peakMb },
    ],
    figures: [
      { name: "gained copy ÷ bare", value: ratio.value, atMost: 10 },
      { name: "MB of memory more than before", value: peakMb - residentMb, atMost: 60 },
      { name: "longest hold of the event loop, ms", value: median(blockedMs.ours), atMost: 50 },
    ],
    notes: [
      "Bare: a plain copy that reads, writes and flushes; it writes half as many bytes.",
      ratio.note,
      `Longest hold in any round: ${longest(blockedMs.ours)} ms; of the bare one ${longest(blockedMs.bare)} ms.`,
    ],
  };
}
