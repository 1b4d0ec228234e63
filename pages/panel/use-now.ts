import { useEffect, useState } from "preact/hooks";

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
