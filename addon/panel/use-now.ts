import { useEffect, useState } from "preact/hooks";

/** The time of `performance.now()`, read anew every `everyMs`; whoever uses it is drawn anew then. */
export function useNow(everyMs: number): number {
  const [now, setNow] = useState(() => performance.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(performance.now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return now;
}

/** Seconds that are left of a span that began to count at `readAtMs`; never below 0. */
export function secondsLeft(spanSeconds: number, readAtMs: number, nowMs: number): number {
  return Math.max(0, spanSeconds - (nowMs - readAtMs) / 1000);
}
