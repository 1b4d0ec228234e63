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
import { bigManifest, writeBigWavs } from "../big-wav.ts";
import { Child } from "../child.ts";
import type { BareHeadersCalls } from "../processes/bare-headers.ts";
import type { LibraryCalls } from "../processes/library.ts";

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
      { name: "layout ÷ bare", value: ratio.value, atMost: 4 },
    ],
    notes: [
      "Bare: a process that parses each manifest, and opens each WAV and reads its first 4 KiB.",
      "Both are measured with their start, on files that the system has in memory.",
      ratio.note,
    ],
  };
}

function expectAll(read: number, packages: number): void {
  if (read !== packages) throw new Error(`${read} of ${packages} packages were read.`);
}
