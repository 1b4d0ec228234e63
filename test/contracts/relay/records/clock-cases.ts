import assert from "node:assert/strict";
import { CLOCK_PROMISES } from "../clock-promises.ts";
import { two } from "./records-case.ts";

/** What a store's own clock promises, if it has one: the same as any relay's clock (rule J3). */
export const CLOCK_CASES = CLOCK_PROMISES.map(({ title, run }) =>
  two(`[J3] if the store has a clock, ${title}`, async (first, second, eventually) => {
    if (first.clock === undefined || second.clock === undefined) {
      assert.equal(first.clock, second.clock, "Only one of two instances has a clock.");
      return;
    }
    await run(first.clock, second.clock, eventually);
  }),
);
