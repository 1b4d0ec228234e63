import { join } from "node:path";
import {
  type BenchResult,
  type BenchOptions,
  ratioOf,
  interleave,
  median,
} from "../bench-result.ts";
import { bigManifest, LARGEST_BYTES } from "../big-wav.ts";
import { Child } from "../child.ts";
import { pairAlone } from "../paired-app.ts";
import type { BareUploadCalls } from "../processes/bare-upload.ts";
import type { RelayCalls } from "../processes/relay.ts";
import type { SenderCalls } from "../processes/sender.ts";
import { UNFILLED_PER_APP } from "../../../core/quotas/budgets.ts";

const SHORT_BYTES = 32_000_000;

/** Uploads large WAVs one after another, to the relay and to a minimal server that stores them durably. */
export async function benchUpload({ folder, isShort }: BenchOptions): Promise<BenchResult> {
  const sizeBytes = isShort ? SHORT_BYTES : LARGEST_BYTES;
  const manifest = bigManifest(1, sizeBytes);
  await using relay = new Child<RelayCalls>("relay", { logPath: join(folder, "relay.log") });
  await using bare = new Child<BareUploadCalls>("bare-upload");
  await using sender = new Child<SenderCalls>("sender");
  const { url: relayUrl } = await relay.call("start", { dataFolder: join(folder, "relay") });
  const { url: bareUrl } = await bare.call("start", { folder });
  const { client, token } = await pairAlone(relayUrl);

  const upload = async (url: string) => {
    const ms = await sender.call("upload", { urls: [url], token, sizeBytes });
    return sizeBytes / 1000 / ms;
  };
  const uploadToRelay = async () => {
    const announced = await client.announce(manifest);
    const speed = await upload(relayUrl + Object.values(announced.upload).join(""));
    await client.withdraw(announced.package_id);
    return speed;
  };
  const rounds = await interleave(isShort ? 2 : 7, () => upload(bareUrl), uploadToRelay);
  const ratio = ratioOf(rounds);
  const unit = "MB/s";
  return {
    name: "upload",
    task: `One WAV of ${sizeBytes.toLocaleString("en")} bytes, sent by a third process.`,
    sides: [
      { name: "bare", unit, values: rounds.bare, peakMb: (await bare.usage()).peakMb },
      { name: "relay", unit, values: rounds.ours, peakMb: (await relay.usage()).peakMb },
    ],
    figures: [{ name: "relay ÷ bare", value: ratio.value, atLeast: 0.9 }],
    notes: ["Bare: node:http that hashes, writes and flushes file and folder.", ratio.note],
  };
}

const UPLOADS = 32;
const SHORT_SHARE_BYTES = 8_000_000;
/** The size of all that one device may announce at once. */
const LONG_BYTES = Math.floor(UNFILLED_PER_APP / UPLOADS);
const LONG_ROUNDS = 12;
const SAMPLE_EVERY_MS = 100;

/** Uploads many large WAVs at once: the relay's memory must be small and must not grow. */
export async function benchUploadMany({ folder, isShort }: BenchOptions): Promise<BenchResult> {
  const sizeBytes = isShort ? SHORT_SHARE_BYTES : LONG_BYTES;
  const manifest = bigManifest(1, sizeBytes);
  await using relay = new Child<RelayCalls>("relay", { logPath: join(folder, "relay.log") });
  await using sender = new Child<SenderCalls>("sender");
  const { url } = await relay.call("start", { dataFolder: join(folder, "relay") });
  const { client, token } = await pairAlone(url);

  const speeds: number[] = [];
  const samples: number[][] = [];
  for (let round = 0; round < (isShort ? 1 : LONG_ROUNDS); round += 1) {
    const announced = await Promise.all(
      Array.from({ length: UPLOADS }, () => client.announce(manifest)),
    );
    const urls = announced.map(({ upload }) => url + Object.values(upload).join(""));
    const sampling = sampleMemory(relay);
    const ms = await sender.call("upload", { urls, token, sizeBytes });
    samples.push(await sampling.stop());
    speeds.push((UPLOADS * sizeBytes) / 1000 / ms);
    for (const { package_id: id } of announced) await client.withdraw(id);
  }
  const { peakMb } = await relay.usage();
  return {
    name: "upload-many",
    task: `${UPLOADS} uploads at once of ${sizeBytes.toLocaleString("en")} bytes each.`,
    sides: [{ name: "relay", unit: "MB/s", values: speeds, peakMb }],
    figures: [
      { name: "peak memory of the relay, MB", value: peakMb, atMost: 200 },
      { name: "memory at the end ÷ in the middle", value: growthOf(samples), atMost: 1.1 },
    ],
    notes: samples.map((round) => `Memory from start to end, MB: ${tenOf(round).join(" ")}`),
  };
}

function sampleMemory(relay: Child<RelayCalls>): { readonly stop: () => Promise<number[]> } {
  const samples: Promise<number>[] = [];
  const sample = async () => (await relay.usage()).residentMb;
  const timer = setInterval(() => samples.push(sample()), SAMPLE_EVERY_MS);
  return {
    stop: () => {
      clearInterval(timer);
      return Promise.all(samples);
    },
  };
}

/** Over all rounds: the median of the last fifth of the samples divided by that of the middle fifth. */
function growthOf(rounds: readonly (readonly number[])[]): number {
  const growths = rounds.map((samples) => {
    const fifth = Math.ceil(samples.length / 5);
    const middle = samples.slice(2 * fifth, 3 * fifth);
    return median(samples.slice(-fifth)) / median(middle);
  });
  return Math.max(...growths);
}

function tenOf(samples: readonly number[]): number[] {
  return Array.from({ length: 10 }, (_, index) =>
    Math.round(samples[Math.floor((index * (samples.length - 1)) / 9)] ?? 0),
  );
}
