import type { RowMoment } from "./packages/row-words.ts";
import { useNow } from "./use-now.ts";

/**
 * Returns the moment for which the page's rows are worded, and renders again each second.
 * @param readAtMs when the state was read, by `performance.now()`
 */
export function useMoment(readAtMs: number): RowMoment {
  const now = useNow(1000);
  return { nowMs: Date.now(), ageSeconds: Math.max(0, (now - readAtMs) / 1000) };
}
