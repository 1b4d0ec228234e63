import { expect, test } from "vitest";
import { surviveKills } from "./survive-kills.ts";

test("[U7] a relay that is killed three times keeps all it answered, and shows nothing half-done", async () => {
  const packages = await surviveKills({ kills: 3, musicianCount: 2, seed: 1, longestLifeMs: 1200 });
  expect(packages).toBeGreaterThan(0);
});
