import { expect, test } from "vitest";
import { openInMemory, openOnDisk } from "./open-model-relays.ts";
import { RANDOM_SEED as seed } from "../../runner/random-seed.ts";
import { runModel } from "./run-model.ts";

// `npm run model -- --steps 1000000` goes on for as long as you like.

test("[S1][S2][S3][S4][S5][S6][S9][Z5] whatever apps and importers do, a package is what the model says", async () => {
  expect(await runModel({ steps: 100, seed, open: openOnDisk })).toBeGreaterThanOrEqual(100);
  expect(await runModel({ steps: 900, seed, open: openInMemory })).toBeGreaterThanOrEqual(900);
});
