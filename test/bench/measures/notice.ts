import { join } from "node:path";
import {
  type BenchResult,
  type BenchOptions,
  median,
  percentile,
  timed,
  ratioOf,
  interleave,
} from "../bench-result.ts";
import { bigManifest, LARGEST_BYTES, writeBigWavs } from "../big-wav.ts";
import { Child } from "../child.ts";
import { pairApp, sendPackage } from "../paired-app.ts";
import type { ImporterCalls } from "../processes/importer.ts";
import type { RelayCalls } from "../processes/relay.ts";
import type { SenderCalls } from "../processes/sender.ts";
import { rm } from "node:fs/promises";
import type { BareCopyCalls } from "../processes/bare-copy.ts";

const SOUND_BYTES = 4096;

/** From sending a commit until the importer's list has the package: flush, notification, fetch. */
export async function benchNotice({ folder, isShort }: BenchOptions): Promise<BenchResult> {
  await using relay = new Child<RelayCalls>("relay", { logPath: join(folder, "relay.log") });
  await using importer = new Child<ImporterCalls>("importer", {
    logPath: join(folder, "importer.log"),
  });
  await using sender = new Child<SenderCalls>("sender");
  const { url } = await relay.call("start", { dataFolder: join(folder, "relay") });
  const { code } = await importer.call("start", { relayUrl: url, folder });
  const { client, token } = await pairApp(url, code);
  const manifest = bigManifest(1, SOUND_BYTES);

  const times: number[] = [];
  for (let count = 0; count < (isShort ? 20 : 200); count += 1) {
    const { package_id: packageId, upload } = await client.announce(manifest);
    const urls = [url + Object.values(upload).join("")];
    await sender.call("upload", { urls, token, sizeBytes: SOUND_BYTES });
    const listed = importer.call("untilListed", { packageId });
    times.push(
      await timed(async () => {
        await client.commit(packageId);
        await listed;
      }),
    );
    await client.withdraw(packageId);
    await importer.call("untilGone", { packageId });
  }
  const [relayUsage, importerUsage] = [await relay.usage(), await importer.usage()];
  return {
    name: "notice",
    task: `${times.length} commits, each timed until the importer has the package in its list.`,
    sides: [
      {
        name: "relay + importer",
        unit: "ms",
        values: times,
        peakMb: relayUsage.peakMb + importerUsage.peakMb,
      },
    ],
    figures: [{ name: "median, ms", value: median(times), atMost: 50 }],
    notes: [`95 of 100 are below ${percentile(times, 0.95).toFixed(1)} ms.`],
  };
}

const SOUNDS = 32;
const SHORT_BYTES = 32_000_000;

/** Imports a package of 32 sounds from a relay; the baseline is a minimal copy that hashes and flushes. */
export async function benchImport({ folder, isShort }: BenchOptions): Promise<BenchResult> {
  const soundBytes = (isShort ? SHORT_BYTES : LARGEST_BYTES) / SOUNDS;
  await using relay = new Child<RelayCalls>("relay", { logPath: join(folder, "relay.log") });
  await using importer = new Child<ImporterCalls>("importer", {
    logPath: join(folder, "importer.log"),
  });
  await using sender = new Child<SenderCalls>("sender");
  await using bare = new Child<BareCopyCalls>("bare-copy");
  const { url } = await relay.call("start", { dataFolder: join(folder, "relay") });
  const { code } = await importer.call("start", { relayUrl: url, folder });
  const app = await pairApp(url, code);
  const manifest = bigManifest(SOUNDS, soundBytes);

  const [from, to] = [join(folder, "to-copy"), join(folder, "copied")];
  await writeBigWavs(from, SOUNDS, soundBytes);
  const copy = async () => {
    const ms = await timed(() => bare.call("copy", { from, to }));
    await rm(to, { recursive: true });
    return ms;
  };
  const importOnce = async () => {
    const packageId = await sendPackage(app, sender, { url, manifest, sizeBytes: soundBytes });
    const ms = await timed(() => importer.call("import", { packageId }));
    // The next round starts like this one, with no sounds and an empty session.
    await rm(join(folder, "sounds", "Bench"), { recursive: true });
    await rm(join(folder, "preview.json"));
    return ms;
  };
  const rounds = await interleave(isShort ? 2 : 7, copy, importOnce);
  const ratio = ratioOf(rounds);
  const unit = "ms";
  const peakMb = (await relay.usage()).peakMb + (await importer.usage()).peakMb;
  return {
    name: "import",
    task: `${SOUNDS} sounds, ${(SOUNDS * soundBytes).toLocaleString("en")} bytes, from the relay into the preview host.`,
    sides: [
      { name: "bare", unit, values: rounds.bare, peakMb: (await bare.usage()).peakMb },
      { name: "relay + importer", unit, values: rounds.ours, peakMb },
    ],
    figures: [{ name: "import ÷ bare", value: ratio.value, atMost: 1.2 }],
    notes: [
      "Bare: a plain copy from folder to folder, four files at a time, that hashes and flushes each.",
      ratio.note,
    ],
  };
}
