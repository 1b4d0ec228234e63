import { expect, test } from "vitest";
import { RANDOM_SEED as seed } from "../random-seed.ts";
import { FUZZ_TARGETS } from "./fuzz-targets.ts";
import { runFuzz } from "./run-fuzz.ts";

test.each(FUZZ_TARGETS.map((target) => [target.name, target] as const))(
  "%s: any input is read or refused as documented, within bounds of time and memory",
  async (_, target) => {
    expect(await runFuzz(target, { seed, ms: 2000 })).toBeGreaterThan(0);
  },
);
