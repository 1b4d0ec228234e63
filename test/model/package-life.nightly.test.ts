import { expect, test } from "vitest";
import { openInMemory, openOnDisk } from "./open-model-relays.ts";
import { runModel } from "./run-model.ts";

test("[S1][S4][Z5] no wrong state in 20,000 random steps", async () => {
  const seed = Number(process.env["MODEL_SEED"] ?? Date.now() % 1_000_000);
  process.stdout.write(`MODEL_SEED=${seed} does these steps again\n`);
  expect(await runModel({ steps: 2000, seed, open: openOnDisk })).toBeGreaterThanOrEqual(2000);
  const inMemory = await runModel({ steps: 18_000, seed: seed + 1, open: openInMemory });
  expect(inMemory).toBeGreaterThanOrEqual(18_000);
});
