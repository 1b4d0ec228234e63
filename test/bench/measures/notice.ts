import { join } from "node:path";
import { type BenchResult, type BenchOptions, median, percentile, timed } from "../bench-result.ts";
import { bigManifest } from "../big-wav.ts";
import { Child } from "../child.ts";
import { pairApp } from "../paired-app.ts";
import type { ImporterCalls } from "../processes/importer.ts";
import type { RelayCalls } from "../processes/relay.ts";
import type { SenderCalls } from "../processes/sender.ts";

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
