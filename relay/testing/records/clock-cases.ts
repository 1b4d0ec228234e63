import assert from "node:assert/strict";
import { setImmediate as turn } from "node:timers/promises";
import { one, two } from "./records-case.ts";

/** What a store's own clock promises, if it has one (rule J3). */
export const CLOCK_CASES = [
  one("[J3] the store's clock, if it has one, never goes back", async ({ clock }) => {
    if (clock === undefined) return;
    let last = clock.now();
    for (let reading = 0; reading < 2000; reading += 1) {
      if (reading % 20 === 0) await turn();
      const now: number = clock.now();
      assert.ok(Number.isSafeInteger(now), `${now} is not a whole number of milliseconds.`);
      assert.ok(now >= last, `The time went back from ${last} to ${now}.`);
      last = now;
    }
  }),

  two(
    "[J3] two instances' clocks, if they have some, differ by at most a second",
    async (first, second) => {
      if (first.clock === undefined || second.clock === undefined) {
        assert.equal(first.clock, second.clock, "Only one of two instances has a clock.");
        return;
      }
      for (let reading = 0; reading < 100; reading += 1) {
        const before: number = first.clock.now();
        const other: number = second.clock.now();
        const after: number = first.clock.now();
        assert.ok(
          other >= before - 1000 && other <= after + 1000,
          `${other} is not near ${after}.`,
        );
        await turn();
      }
    },
  ),
];
