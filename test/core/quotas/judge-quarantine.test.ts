import { expect, test } from "vitest";
import { isMassQuarantine } from "../../../core/quotas/judge-quarantine.ts";

test.each([
  [20, 20, false],
  [21, 21, true],
  [21, 209, true],
  [21, 210, false],
  [1000, 10_000, false],
  [1001, 10_000, true],
  [0, 0, false],
])("[Z4] %i unknown sounds of %i are too many to be leftovers: %s", (unknown, all, isMass) => {
  expect(isMassQuarantine(unknown, all)).toBe(isMass);
});
