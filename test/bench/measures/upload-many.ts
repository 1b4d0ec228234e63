import { join } from "node:path";
import { type BenchResult, type BenchOptions, median } from "../bench-result.ts";
import { UNFILLED_PER_DEVICE } from "../../../core/quotas/budgets.ts";
import { bigManifest } from "../big-wav.ts";
import { Child } from "../child.ts";
import { pairAlone } from "../paired-app.ts";
import type { RelayCalls } from "../processes/relay.ts";
import type { SenderCalls } from "../processes/sender.ts";

const UPLOADS = 32;
const SHORT_BYTES = 8_000_000;
/** As large as one device may announce at once. */
const LONG_BYTES = Math.floor(UNFILLED_PER_DEVICE / UPLOADS);
const LONG_ROUNDS = 12;
const SAMPLE_EVERY_MS = 100;

/** Uploads many large WAVs at once: the relay's memory must be small and must not grow. */
export async function benchUploadMany({ folder, isShort }: BenchOptions): Promise<BenchResult> {
  const sizeBytes = isShort ? SHORT_BYTES : LONG_BYTES;
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
      { name: "peak memory of the relay, MB", value: peakMb, atMost: 220 },
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
