import * as fc from "fast-check";
import { test } from "vitest";
import { FUZZ_TARGETS } from "./fuzz-targets.ts";

// `npm run fuzz` tries more of them, and holds the time and the memory that they take.
test.each(FUZZ_TARGETS)(
  "$name: any input is read or refused as documented",
  async ({ property }) => {
    await fc.assert(property, { numRuns: 200 });
  },
);
