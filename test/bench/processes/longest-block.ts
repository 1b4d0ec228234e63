import { monitorEventLoopDelay } from "node:perf_hooks";

const RESOLUTION_MS = 1;

/** Measures the duration of an action and the longest time that it blocked the event loop, both in ms. */
export async function longestBlock(
  act: () => Promise<unknown>,
): Promise<{ readonly ms: number; readonly longestBlockMs: number }> {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delay.enable();
  const startedAt = performance.now();
  await act();
  const ms = performance.now() - startedAt;
  delay.disable();
  return { ms, longestBlockMs: delay.max / 1e6 - RESOLUTION_MS };
}
