import { expect, test } from "vitest";
import { IN_NODE } from "../../client/node/in-node.ts";
import type { SendOptions } from "../../client/send/send-options.ts";
import type { SoundferryClient } from "../../client/soundferry-client.ts";
import { MemoryTokenStore } from "../../client/pairing/token-store.ts";
import { KillableRelay } from "../sim/killable-relay.ts";
import { RunningRelay } from "../relay/running-relay.ts";
import { Cutter } from "../sim/cutter.ts";
import { App } from "../sim/app.ts";
import { worldOf } from "../sim/world.ts";
import { smallWav } from "../wav-bytes.ts";
import { pairedClient } from "./stand-in-relay.ts";
import { join } from "node:path";
import { writeBigWavs } from "../bench/big-wav.ts";
import { type Hashed, HashPages } from "../bench/browser/hash-page.ts";
import { temporaryFolder } from "../addon/temporary-folder.ts";
import { describeInBrowser } from "./app-page.ts";

/** The largest possible package, of 200 MB. */
const LARGEST = smallWav({ frames: 104_857_000 });

function clientOf(port: number, token: string): SoundferryClient {
  const tokenStore = new MemoryTokenStore(token);
  return pairedClient(`http://127.0.0.1:${port}`, { tokenStore, ...IN_NODE });
}

test("[W14][U10] 200 MB that are cut again and again send at most 1.1 times their bytes", async () => {
  await using relay = await RunningRelay.start();
  const { token } = await relay.paired();
  await using line = await Cutter.to(relay.url);
  line.play({ at: { bytes: 9_000_000 }, does: "reset", times: 20 });
  const client = clientOf(line.port, token);
  const { packageId } = await client.send({ sounds: [{ source: LARGEST }] });
  // Parts become shorter than what passes.
  expect(line.cuts).toBeGreaterThan(8);
  expect(line.upBytes / LARGEST.length).toBeLessThan(1.1);
  expect((await client.status(packageId)).status).toBe("waiting");
});

/** Acts once, in the middle of the upload. */
function halfWay(act: () => void): SendOptions {
  let isDone = false;
  return {
    onProgress: ({ phase, doneBytes, totalBytes }) => {
      if (isDone || phase === "hashing" || doneBytes < totalBytes / 2) return;
      isDone = true;
      act();
    },
  };
}

test("[W14][U10] a relay that is killed in the middle gets the rest after its restart", async () => {
  await using relay = await KillableRelay.start();
  const { app: token = "" } = (await App.paired(worldOf(relay))).facts;
  await using line = await Cutter.to(relay.url);
  const client = clientOf(line.port, token);
  const restart = async (): Promise<void> => {
    await relay.kill();
    await relay.restart();
    line.aimAt(relay.url);
  };
  let restarted: Promise<void> | undefined;
  const { packageId } = await client.send(
    { sounds: [{ source: LARGEST }] },
    halfWay(() => {
      restarted = restart();
    }),
  );
  await restarted;
  expect(relay.kills).toBe(1);
  expect(line.upBytes / LARGEST.length).toBeLessThan(1.1);
  expect((await client.status(packageId)).status).toBe("waiting");
});

test("[W14][U10] an upload whose connection is half open resumes on a new one", async () => {
  await using relay = await RunningRelay.start();
  const { token } = await relay.paired();
  await using line = await Cutter.to(relay.url);
  const client = clientOf(line.port, token);
  const { packageId } = await client.send(
    { sounds: [{ source: LARGEST }] },
    halfWay(() => line.silence()),
  );
  expect(line.upBytes / LARGEST.length).toBeLessThan(1.1);
  expect((await client.status(packageId)).status).toBe("waiting");
});

const MB = 1024 ** 2;

async function filesIn(name: string, count: number, sizeBytes: number): Promise<string[]> {
  const folder = join(await temporaryFolder(), name);
  await writeBigWavs(folder, count, sizeBytes);
  return Array.from({ length: count }, (_, index) => join(folder, `sound-${index + 1}.wav`));
}

/** Measures both in turn, five times, so that other load on the machine affects both. */
async function compare(pages: HashPages, paths: readonly string[]) {
  const subtle: Hashed[] = [];
  const ours: Hashed[] = [];
  for (let round = 0; round < 5; round += 1) {
    subtle.push(await pages.hash("subtle", paths));
    ours.push(await pages.hash("ours", paths));
  }
  const middle = (of: readonly Hashed[], member: keyof Hashed) =>
    of.map((one) => one[member]).toSorted((one, other) => one - other)[2] ?? Number.NaN;
  return {
    ratio: middle(ours, "ms") / middle(subtle, "ms"),
    moreMb: middle(ours, "moreMb"),
    // Tasks below 50 ms count as 0, on a fast machine perhaps all of them.
    taskRatio: middle(ours, "longestTaskMs") / Math.max(50, middle(subtle, "longestTaskMs")),
  };
}

describeInBrowser("hashing in a page (needs Chromium)", () => {
  test("[W3] a large sound takes less than three times the browser's hash, and little memory; the page stays fluent", async () => {
    await using pages = await HashPages.start();
    const paths = await filesIn("one", 1, 200 * MB);
    const { ratio, moreMb, taskRatio } = await compare(pages, paths);
    // About 2.2 where the processor has an instruction for SHA-256, which WebAssembly can't use. Plain JavaScript
    // would take more than five times as long.
    expect(ratio).toBeLessThan(3);
    expect(moreMb).toBeLessThan(80);
    expect(taskRatio).toBeLessThan(0.1);
    // On pages loaded over plain http, browsers hash nothing themselves.
    expect((await pages.hash("ours", paths, "app.example")).moreMb).toBeLessThan(80);
  });

  test("[W3] eight sounds take hardly longer than the browser's hash", async () => {
    await using pages = await HashPages.start();
    const { ratio, taskRatio } = await compare(pages, await filesIn("eight", 8, 25 * MB));
    expect(ratio).toBeLessThan(1.3);
    expect(taskRatio).toBeLessThan(0.5);
  });
});
