import { expect, test } from "vitest";
import { surviveKills } from "../relay/crash/survive-kills.ts";

const KILLS = 20;

test("[U7] a relay that is killed twenty times keeps everything it answered, and shows nothing partial", async () => {
  const seed = Number(process.env["CRASH_SEED"] ?? Date.now() % 1_000_000);
  process.stdout.write(`CRASH_SEED=${seed} chooses these moments again\n`);
  const packages = await surviveKills({
    kills: KILLS,
    musicianCount: 4,
    seed,
    longestLifeMs: 1000,
  });
  process.stdout.write(`${packages} packages were sent between ${KILLS} kills\n`);
  expect(packages).toBeGreaterThan(KILLS);
});
