import { expect, onTestFinished, test } from "vitest";
import { smallWav } from "../../wav-bytes.ts";
import { RANDOM_SEED } from "../../random-seed.ts";
import { manifestOf } from "../running-relay.ts";
import { KillableRelay } from "./killable-relay.ts";
import { surviveKills } from "./survive-kills.ts";

// Relays in processes of their own, on machines whose clocks are set.

const DAY_MS = 86_400_000;

/** A relay with an app and a committed package. */
async function startWithPackage(settings: Record<string, string> = {}) {
  const relay = await KillableRelay.start(settings);
  onTestFinished(() => relay[Symbol.asyncDispose]());
  const { json: importer } = await relay.call("POST", "/importer/register", { body: {} });
  const token: string = importer.importer_token;
  const { json: code } = await relay.call("POST", "/importer/pairing-code", { token });
  const claim = { code: code.code, app_name: "Looper", app_id: "app-1" };
  const { json: paired } = await relay.call("POST", "/pair/claim", { body: claim });
  const app: string = paired.app_token;
  const announced = await relay.call("POST", "/packages", {
    token: app,
    body: manifestOf(["kick.wav"]),
  });
  const { package_id: id, upload } = announced.json;
  await relay.call("PUT", upload["kick.wav"], { token: app, body: smallWav() });
  await relay.call("POST", `/packages/${id}/commit`, { token: app });
  return {
    relay,
    status: async () =>
      (await relay.call("GET", `/packages/${id}/status`, { token: app })).json.status,
    take: async (runId: string) =>
      (
        await relay.call("POST", `/importer/packages/${id}/take`, {
          token,
          body: { run_id: runId },
        })
      ).status,
    download: async () => relay.call("GET", `/importer/packages/${id}/files/kick.wav`, { token }),
  };
}

test("[Z6] D3: a process that ran with the clock two days ahead, and was killed, leaves nothing behind", async () => {
  const { relay, status, take, download } = await startWithPackage();
  for (let lives = 0; lives < 3; lives += 1) {
    await relay.kill();
    await relay.shiftDate(2 * DAY_MS);
    await relay.restart();
    expect(await status()).toBe("waiting");
    expect(await take(`wrong ${lives}`)).toBe(lives === 0 ? 200 : 409);
  }
  await relay.kill();
  await relay.shiftDate(0);
  await relay.restart();
  expect(await status()).toBe("waiting");
  expect(await take("right")).toBe(200);
  const { status: answered, body } = await download();
  expect([answered, body.equals(smallWav())]).toEqual([200, true]);
});

test("[Z6] a process whose machine slept for two days waits for the proof, and no longer", async () => {
  const { relay, status, download } = await startWithPackage({ SOUNDFERRY_CLOCK_PROOF_S: "2" });
  await relay.shiftDate(2 * DAY_MS);
  expect(await status()).toBe("waiting");
  expect((await download()).status).toBe(200);
  await expect.poll(status, { timeout: 10_000 }).toBe("expired");
});

test("[Z6] a relay that is killed at any time, on a clock that is off by days, keeps everything it answered", async () => {
  const kills = 8;
  const packages = await surviveKills({
    kills,
    musicianCount: 2,
    seed: RANDOM_SEED,
    longestLifeMs: 700,
    daysOff: [0, 0, 1, 2, 3, -1, -2],
  });
  // A slow machine hardly sends one in each life.
  expect(packages).toBeGreaterThan(kills / 4);
});
