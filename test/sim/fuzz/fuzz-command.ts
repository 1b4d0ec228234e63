import { parseArgs } from "node:util";
import { FUZZ_TARGETS } from "./fuzz-targets.ts";
import { runFuzz } from "./run-fuzz.ts";

// `npm run fuzz -- --minutes N [--target T] [--seed S]`: the targets share the time.

const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "1" },
    target: { type: "string" },
    seed: { type: "string" },
  },
});
const minutes = Number(values.minutes);
const seed = values.seed === undefined ? Date.now() % 1_000_000 : Number(values.seed);
if (!(minutes > 0) || !Number.isSafeInteger(seed)) {
  throw new Error("--minutes is a number above 0, --seed a whole number.");
}
const targets = FUZZ_TARGETS.filter(({ name }) => name === (values.target ?? name));
if (targets.length === 0) {
  throw new Error(`--target is one of ${FUZZ_TARGETS.map(({ name }) => name).join(", ")}.`);
}
console.log(`--seed ${seed} tries these inputs again`);
for (const target of targets) {
  const runs = await runFuzz(target, { seed, ms: (minutes * 60_000) / targets.length });
  console.log(`${target.name}: ${runs} inputs`);
}
