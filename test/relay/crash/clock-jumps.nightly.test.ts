import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../../addon/temporary-folder.ts";
import { runCrashes } from "../../crash/run-crashes.ts";
import { RANDOM_SEED } from "../../random-seed.ts";
import { App } from "../../sim/app.ts";
import { worldOf } from "../../sim/world.ts";
import { KillableRelay } from "../../sim/killable-relay.ts";

// Relays in processes of their own, on machines whose clocks are set.

const DAY_MS = 86_400_000;

/** A relay with an app and a committed package. */
async function startWithPackage(settings: Record<string, string> = {}) {
  const relay = await KillableRelay.start(settings);
  onTestFinished(() => relay[Symbol.asyncDispose]());
  const app = await App.paired(worldOf(relay));
  const key = await app.send(["kick.wav"]);
  const { id } = app.package(key);
  const path = `/packages/${id}/files/kick.wav`;
  return {
    relay,
    status: async () => (await app.status(key)).json.status,
    take: (status: number, runId: string) =>
      app.asImporter(status, "POST", `/packages/${id}/take`, { body: { run_id: runId } }),
    download: async () => (await app.asImporter(200, "GET", path)).body,
    bytes: app.bytesOf(key, "kick.wav"),
  };
}

test("[Z6] D3: a process that ran with the clock two days ahead, and was killed, leaves nothing behind", async () => {
  const { relay, status, take, download, bytes } = await startWithPackage();
  for (let lives = 0; lives < 3; lives += 1) {
    await relay.kill();
    await relay.shiftDate(2 * DAY_MS);
    await relay.restart();
    expect(await status()).toBe("waiting");
    await take(lives === 0 ? 200 : 409, `wrong ${lives}`);
  }
  await relay.kill();
  await relay.shiftDate(0);
  await relay.restart();
  expect(await status()).toBe("waiting");
  await take(200, "right");
  expect((await download()).equals(bytes)).toBe(true);
});

test("[Z6] a process whose machine slept for two days waits for the proof, and no longer", async () => {
  const { relay, status, download } = await startWithPackage({ SOUNDFERRY_CLOCK_PROOF_S: "2" });
  await relay.shiftDate(2 * DAY_MS);
  expect(await status()).toBe("waiting");
  await download();
  await expect.poll(status, { timeout: 10_000 }).toBe("expired");
});

test("[Z6] a relay that is killed at any time, on a clock that is off by days, keeps everything it answered", async () => {
  const daysOff = [0, 0, 1, 2, 3, -1, -2];
  const { facts } = await runCrashes({
    folder: await temporaryFolder(),
    seed: RANDOM_SEED,
    longestLifeMs: 700,
    importerCycles: 0,
    open: (folder) => KillableRelay.start({}, join(folder, "relay")),
    whileDead: (relay, random) =>
      relay.shiftDate(DAY_MS * (daysOff[Math.floor(random() * daysOff.length)] ?? 0)),
    // On a slow machine the first kills may come before any package was sent: then a few more follow.
    isEnough: ({ relayKills, facts: sofar }) => relayKills >= 8 && (sofar > 50 || relayKills >= 18),
  });
  expect(facts).toBeGreaterThan(50);
});
