import { expect, test } from "vitest";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { startInLittleMemory } from "../../cli/young-memory.ts";

/** Bit of V8's `%GetOptimizationStatus`. */
const IS_OPTIMIZED = 1 << 4;

/** Runs a new function often, and returns whether V8 has optimized it. */
function isOptimized(): boolean {
  const run = `
    function add(one, other) { return one + other; }
    for (let round = 0; round < 3_000_000; round += 1) add(round, 1);
    %GetOptimizationStatus(add);
  `;
  return (Number(runInNewContext(run)) & IS_OPTIMIZED) !== 0;
}

test("a start optimizes nothing, and what runs after it is optimized as ever", () => {
  setFlagsFromString("--allow-natives-syntax");
  setFlagsFromString("--no-concurrent-recompilation");
  const onReady = startInLittleMemory();
  expect(isOptimized()).toBe(false);
  onReady();
  expect(isOptimized()).toBe(true);
});
