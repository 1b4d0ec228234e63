import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import {
  type BenchResult,
  type BenchOptions,
  ratioOf,
  interleave,
  median,
  timed,
} from "../bench-result.ts";
import { bigManifest, writeBigWavs, LARGEST_BYTES } from "../big-wav.ts";
import { Child } from "../child.ts";
import type { BareHeadersCalls } from "../processes/bare-headers.ts";
import type { LibraryCalls } from "../processes/library.ts";
import type { GainedCopyCalls } from "../processes/gained-copy.ts";
import type { PlainCopyCalls } from "../processes/plain-copy.ts";
import type { PlaceCalls } from "../processes/place.ts";

const PACKAGES = 1000;
const SHORT_PACKAGES = 100;
const SOUNDS = 8;
const SOUND_BYTES = 8192;

/** Lays out a whole library, as a CI would; the baseline is a minimal read of the same headers. */
export async function benchLibrary({ folder, isShort }: BenchOptions): Promise<BenchResult> {
  const packages = isShort ? SHORT_PACKAGES : PACKAGES;
  const manifest = JSON.stringify(bigManifest(SOUNDS, SOUND_BYTES));
  for (let index = 1; index <= packages; index += 1) {
    const place = join(folder, `package-${index}`);
    await writeBigWavs(place, SOUNDS, SOUND_BYTES);
    await writeFile(join(place, "manifest.json"), manifest);
  }
  const peaksMb = { bare: 0, ours: 0 };
  const readBarely = () =>
    timed(async () => {
      await using bare = new Child<BareHeadersCalls>("bare-headers");
      expectAll(await bare.call("read", { root: folder }), packages);
      peaksMb.bare = Math.max(peaksMb.bare, (await bare.usage()).peakMb);
    });
  const layOut = () =>
    timed(async () => {
      await using ours = new Child<LibraryCalls>("library");
      expectAll(await ours.call("read", { root: folder }), packages);
      peaksMb.ours = Math.max(peaksMb.ours, (await ours.usage()).peakMb);
    });
  const rounds = await interleave(isShort ? 2 : 7, readBarely, layOut);
  const ratio = ratioOf(rounds);
  const unit = "ms";
  return {
    name: "library",
    task: `${packages.toLocaleString("en")} packages of ${SOUNDS} sounds, laid out by a process that starts for it.`,
    sides: [
      { name: "bare", unit, values: rounds.bare, peakMb: peaksMb.bare },
      { name: "layout", unit, values: rounds.ours, peakMb: peaksMb.ours },
    ],
    figures: [
      { name: "layout, seconds", value: median(rounds.ours) / 1000, atMost: 5 },
      { name: "layout ÷ bare", value: ratio.value, atMost: 1.6 },
    ],
    notes: [
      "Bare: a process that parses each manifest, and opens each WAV and reads its first 4 KiB.",
      "Both are measured with their start, on files that the system has in memory.",
      ratio.note,
    ],
  };
}

const CHECKED_PACKAGES = 40;
const CHECKED_BYTES = 1_000_000;

/** Checks a library with its audio, as a CI would; the baseline reads the same files and hashes them. */
export async function benchLibraryCheck({ folder, isShort }: BenchOptions): Promise<BenchResult> {
  const packages = isShort ? CHECKED_PACKAGES / 8 : CHECKED_PACKAGES;
  const manifest = JSON.stringify(bigManifest(SOUNDS, CHECKED_BYTES));
  for (let index = 1; index <= packages; index += 1) {
    const place = join(folder, `package-${index}`);
    await writeBigWavs(place, SOUNDS, CHECKED_BYTES);
    await writeFile(join(place, "manifest.json"), manifest);
  }
  await using bare = new Child<BareHeadersCalls>("bare-headers");
  await using ours = new Child<LibraryCalls>("library");
  await ours.call("accept", { root: folder });
  const hash = () =>
    timed(async () => expectAll(await bare.call("hash", { root: folder }), packages));
  const check = () =>
    timed(async () => expectAll(await ours.call("check", { root: folder }), packages));
  const rounds = await interleave(isShort ? 2 : 7, hash, check);
  const ratio = ratioOf(rounds);
  const megabytes = (packages * SOUNDS * CHECKED_BYTES) / 1_000_000;
  const peakMb = (await ours.usage()).peakMb;
  const unit = "ms";
  return {
    name: "library-check",
    task: `${packages} packages of ${SOUNDS} sounds of 1 MB each (16-bit stereo), compared with their goldens.`,
    sides: [
      { name: "bare", unit, values: rounds.bare, peakMb: (await bare.usage()).peakMb },
      { name: "check", unit, values: rounds.ours, peakMb },
    ],
    figures: [
      { name: "MB/s", value: megabytes / (median(rounds.ours) / 1000), atLeast: 50 },
      { name: "check ÷ bare", value: ratio.value, atMost: 10 },
    ],
    notes: [
      "Bare: reads each file in pieces and hashes it once.",
      "A check hashes each file once and its audio once more, and decodes all samples.",
      ratio.note,
    ],
  };
}

function expectAll(read: number, packages: number): void {
  if (read !== packages) throw new Error(`${read} of ${packages} packages were read.`);
}

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
