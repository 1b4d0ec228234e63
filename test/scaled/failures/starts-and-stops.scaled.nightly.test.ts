import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startCluster } from "../../../scaled/cluster.ts";
import { countBucket } from "./count-bucket.ts";
import { Load } from "./load.ts";
import { HURRIED_SWEEPS, ROOMY_SETTINGS } from "./roomy-settings.ts";

/** `STOPS=200` is the whole form. */
const STOPS = Number(process.env["STOPS"] ?? 6);
/** Only for a test that hangs. */
const TIMEOUT_MS = 600_000 + STOPS * 30_000;

test(
  `[SC20] ${STOPS} stops and kills of relays while musicians send lose no file and leave none behind`,
  { timeout: TIMEOUT_MS },
  async () => {
    const folder = await mkdtemp(join(tmpdir(), "soundferry-stops-"));
    try {
      await using cluster = await startCluster({
        settings: { ...ROOMY_SETTINGS, SOUNDFERRY_STOP_DELAY_S: "1", SOUNDFERRY_STOP_GRACE_S: "5" },
        each: () => ({ preload: [HURRIED_SWEEPS] }),
      });
      await using load = await Load.open(cluster.url, folder, 200);
      load.begin();
      for (let stop = 0; stop < STOPS; stop += 1) {
        const relay = cluster.relay(stop % cluster.relays.length);
        // Two of three in good order, one as if its power were cut.
        await (stop % 3 === 1 ? relay.kill() : relay.stop());
        await load.nextSuccess();
        await relay.start();
      }
      await load.end();
      await load.check();
      const promised = load.promisedSounds;
      expect(promised).toBeGreaterThan(STOPS);
      // Keys of killed relays end about two minutes later (rule SC24).
      await expect
        .poll(() => countBucket(cluster), { timeout: 300_000, interval: 1000 })
        .toEqual({ sounds: promised, strangers: [], pending: 0 });
      process.stdout.write(
        `${promised} sounds, ${load.facts} facts, ${load.checks} comparisons.\n`,
      );
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
);
