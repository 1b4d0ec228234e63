import { expect, test } from "vitest";
import { isProven } from "../../../core/quotas/budgets.ts";

test.each([
  [undefined, false],
  [{ days: 1, firstDay: 100, lastDay: 100 }, false],
  [{ days: 50, firstDay: 100, lastDay: 106 }, false],
  [{ days: 2, firstDay: 100, lastDay: 200 }, false],
  [{ days: 3, firstDay: 100, lastDay: 107 }, true],
])("[L7] imports on three days over a week prove a device: %o", (history, proven) => {
  expect(isProven(history)).toBe(proven);
});
