import { parseArgs } from "node:util";
import { openInMemory, openOnDisk } from "./open-model-relays.ts";
import { runModel } from "./run-model.ts";

// `npm run model -- --steps 1000000 [--seed N]`: a tenth of the steps on SQLite and disk, the rest in memory.

const { values } = parseArgs({
  options: { steps: { type: "string", default: "20000" }, seed: { type: "string" } },
});
const steps = Number(values.steps);
const seed = values.seed === undefined ? Date.now() % 1_000_000 : Number(values.seed);
if (!Number.isSafeInteger(steps) || steps < 1 || !Number.isSafeInteger(seed)) {
  throw new Error("--steps and --seed are whole numbers.");
}
console.log(`--seed ${seed} does these steps again`);
const onDisk = await runModel({ steps: Math.ceil(steps / 10), seed, open: openOnDisk });
console.log(`${onDisk} steps on SQLite and disk: no wrong state`);
const inMemory = await runModel({ steps: steps - onDisk, seed: seed + 1, open: openInMemory });
console.log(`${inMemory} steps in memory: no wrong state`);
