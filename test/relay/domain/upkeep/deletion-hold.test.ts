import { expect, test } from "vitest";
import {
  HOLD_MS,
  isHeldAt,
  LONGEST_HOLD_MS,
} from "../../../../relay/domain/upkeep/deletion-hold.ts";

const NOW = 1_000_000_000;

test.each([
  [false, []],
  [true, [NOW + 1]],
  [true, [NOW - 1, NOW + HOLD_MS]],
  [true, [NOW + LONGEST_HOLD_MS]],
])("[Z10] a backup holds deletions until its hold ends: %s with %j", (isHeld, holds) => {
  expect(isHeldAt(holds, NOW)).toBe(isHeld);
});

test("[Z10] a hold that ended, or was made on a clock that was ahead, holds nothing", () => {
  expect(isHeldAt([NOW - 1, NOW, NOW + LONGEST_HOLD_MS + 1], NOW)).toBe(false);
});
