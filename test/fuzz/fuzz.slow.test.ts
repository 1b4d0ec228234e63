import { expect, test } from "vitest";
import { FUZZ_TARGETS } from "./fuzz-targets.ts";
import { runFuzz } from "./run-fuzz.ts";

test.each(FUZZ_TARGETS.map((target) => [target.name, target] as const))(
  "%s: any input is read or refused as documented, within bounds of time and memory",
  async (_, target) => {
    // The same inputs each time; `npm run fuzz` looks for new ones.
    expect(await runFuzz(target, { seed: 1, ms: 2000 })).toBeGreaterThan(0);
  },
);
