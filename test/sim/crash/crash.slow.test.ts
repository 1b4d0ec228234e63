import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openOneRelay, runCrashes } from "./run-crashes.ts";
import { BrokenPromise } from "../world.ts";
import { RANDOM_SEED as seed } from "../../runner/random-seed.ts";

/** `npm run crash` has no end. */
const RELAY_KILLS = 1;
const IMPORTER_KILLS = 1;

test("[U7][R2][R4] a killed relay and a killed importer lose nothing that was acknowledged; a second run finds it all, and notices a lost sound", async () => {
  const folder = await mkdtemp(join(tmpdir(), "soundferry-crash-"));
  process.stdout.write(`The data is in ${folder}\n`);
  const first = await runCrashes({
    folder,
    seed,
    open: openOneRelay,
    relayCycles: RELAY_KILLS,
    importerCycles: IMPORTER_KILLS,
    isEnough: ({ relayKills, importerKills }) =>
      relayKills >= RELAY_KILLS && importerKills >= IMPORTER_KILLS,
  });
  process.stdout.write(`${first.facts} facts, ${first.checks} checks\n`);
  expect(first.facts).toBeGreaterThan(RELAY_KILLS + IMPORTER_KILLS);
  const again = () => runCrashes({ folder, seed, open: openOneRelay, isEnough: () => true });
  expect((await again()).checks).toBeGreaterThan(RELAY_KILLS + IMPORTER_KILLS);
  await loseOneSound(join(folder, "relay", "sounds"));
  await expect(again()).rejects.toThrow(BrokenPromise);
  // After a failure everything stays for a look.
  await rm(folder, { recursive: true });
});

async function loseOneSound(sounds: string): Promise<void> {
  const files = await readdir(sounds, { recursive: true });
  await rm(join(sounds, files.find((file) => file.includes("snd_")) ?? ""));
}
