import { join } from "node:path";
import { type BenchResult, type BenchOptions, ratioOf, interleave } from "../bench-result.ts";
import { bigManifest, LARGEST_BYTES } from "../big-wav.ts";
import { Child } from "../child.ts";
import { pairAlone } from "../paired-app.ts";
import type { BareUploadCalls } from "../processes/bare-upload.ts";
import type { RelayCalls } from "../processes/relay.ts";
import type { SenderCalls } from "../processes/sender.ts";

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
