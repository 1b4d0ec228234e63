import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { smallWav } from "../wav-bytes.ts";
import { soon } from "../sim/soon.ts";
import { relayWithSounds, soundsIn } from "./operating/backed-up-relay.ts";
import { scrape } from "./http/metrics/scrape.ts";
import { RunningRelay } from "./running-relay.ts";

async function flip(path: string): Promise<void> {
  const bytes = await readFile(path);
  bytes.writeUInt8(bytes.readUInt8(50) ^ 1, 50);
  await writeFile(path, bytes);
}

test("[Z16] a relay with SOUNDFERRY_SCRUB_PERCENT finds a flipped bit, says so, and takes the sound again", async () => {
  const { relay: stopped, token } = await relayWithSounds();
  await stopped.stop();
  const [bad = ""] = await soundsIn(stopped.folder);
  const [packageId = ""] = bad.split("/");
  await flip(join(stopped.folder, "sounds", bad));
  await using relay = await RunningRelay.start({
    SOUNDFERRY_DATA: stopped.folder,
    SOUNDFERRY_SCRUB_PERCENT: "50",
    SOUNDFERRY_METRICS_PORT: "0",
  });
  const filesNow = async () => (await relay.status(token, packageId)).files;
  await soon(async () => Object.values(await filesNow())).toContain("missing");
  const logged = `The stored sound ${bad} is not what its app sent.`;
  await soon(async () => relay.logLines.some((line) => line.includes(logged))).toBe(true);
  await soon(async () => Object.fromEntries(await scrape(relay))).toMatchObject({
    'soundferry_sounds_compared_total{found="differs"}': 1,
    'soundferry_sounds_compared_total{found="same"}': 2,
  });
  const [file = ""] =
    Object.entries(await filesNow()).find(([, state]) => state === "missing") ?? [];
  const path = `/packages/${packageId}/files/${file}`;
  expect(await relay.call("PUT", path, { token, body: smallWav() })).toMatchObject({ status: 200 });
  expect(Object.values(await filesNow())).not.toContain("missing");
});

test("[Z16] a relay without it compares nothing", async () => {
  const { relay, token, packages } = await relayWithSounds({ SOUNDFERRY_METRICS_PORT: "0" });
  expect(relay.logLines.join("")).not.toContain("not what its app sent");
  const compared = [...(await scrape(relay))].filter(([name]) => name.includes("sounds_compared"));
  expect(compared.map(([, count]) => count)).toEqual([0, 0, 0, 0, 0, 0]);
  expect((await relay.status(token, packages[0] ?? "")).status).toBe("waiting");
});
