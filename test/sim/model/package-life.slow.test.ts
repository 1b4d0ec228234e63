import { expect, test } from "vitest";
import { openInMemory, openOnDisk } from "./open-model-relays.ts";
import { RANDOM_SEED as seed } from "../../runner/random-seed.ts";
import { runModel } from "./run-model.ts";

test("[S1][S2][S3][S4][S5][S6][S9][Z5] whatever apps and importers do, a package is what the model says", async () => {
  expect(await runModel({ steps: 300, seed, open: openOnDisk })).toBeGreaterThanOrEqual(300);
  expect(await runModel({ steps: 2200, seed, open: openInMemory })).toBeGreaterThanOrEqual(2200);
});
