import { expect, test } from "vitest";
import { surviveKills } from "./survive-kills.ts";

// One kill in the middle of the work; test/slow/crash.test.ts kills twenty times.
test("[U7][J2] a relay that is killed keeps everything it answered, shows nothing partial and leaves no bytes over", async () => {
  const packages = await surviveKills({ kills: 1, musicianCount: 3, seed: 1, longestLifeMs: 1200 });
  expect(packages).toBeGreaterThan(0);
});
