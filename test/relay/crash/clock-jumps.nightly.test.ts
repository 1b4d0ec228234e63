import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../addon/temporary-folder.ts";
import { runCrashes } from "../../sim/crash/run-crashes.ts";
import { RANDOM_SEED } from "../../runner/random-seed.ts";
import { KillableRelay } from "../../sim/killable-relay.ts";

const DAY_MS = 86_400_000;

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
