import { useEffect, useState } from "preact/hooks";
import type { RowMoment } from "./packages/row-words.ts";

/** Returns `performance.now()` and renders again every `everyMs`. */
export function useNow(everyMs: number): number {
  const [now, setNow] = useState(() => performance.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(performance.now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return now;
}

/** Returns the seconds left of a span that started at `readAtMs`; at least 0. */
export function secondsLeft(spanSeconds: number, readAtMs: number, nowMs: number): number {
  return Math.max(0, spanSeconds - (nowMs - readAtMs) / 1000);
}

/**
 * Returns the current moment for the texts of the page's rows, and renders again each second.
 * @param readAtMs time at which the state was read, by `performance.now()`
 */
export function useMoment(readAtMs: number): RowMoment {
  const now = useNow(1000);
  return { nowMs: Date.now(), ageSeconds: Math.max(0, (now - readAtMs) / 1000) };
}
