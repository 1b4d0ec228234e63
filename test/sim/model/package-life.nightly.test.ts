import { expect, test } from "vitest";
import { openInMemory, openOnDisk } from "./open-model-relays.ts";
import { RANDOM_SEED as seed } from "../../runner/random-seed.ts";
import { runModel } from "./run-model.ts";

test("[S1][S4][Z5] no wrong state in 20,000 random steps", async () => {
  expect(await runModel({ steps: 2000, seed, open: openOnDisk })).toBeGreaterThanOrEqual(2000);
  const inMemory = await runModel({ steps: 18_000, seed: seed + 1, open: openInMemory });
  expect(inMemory).toBeGreaterThanOrEqual(18_000);
});
