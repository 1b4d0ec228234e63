import { expect, test } from "vitest";
import { pauseMs } from "../../core/download-pause.ts";

test("[R1] a pause doubles with each attempt without progress, and is as long as the relay asks, up to a minute", () => {
  const pauses = Array.from({ length: 8 }, (_, without) => pauseMs(without, 0));
  expect(pauses).toEqual([250, 500, 1000, 2000, 4000, 8000, 16_000, 16_000]);
  expect([pauseMs(1, 5), pauseMs(1, 61), pauseMs(5, 1)]).toEqual([5000, 60_000, 8000]);
});
