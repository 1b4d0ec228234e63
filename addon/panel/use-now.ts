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

/** A timer may ring a moment before its time. */
const SPARE_MS = 50;

/**
 * Whether a span that began to count at `readAtMs` is over; whoever uses it is drawn anew when it is.
 * @param spanSeconds null for one that never ends
 */
export function useIsOver(spanSeconds: number | null, readAtMs: number): boolean {
  const [, setNow] = useState(0);
  const endMs = spanSeconds === null ? null : readAtMs + spanSeconds * 1000;
  const isOver = endMs !== null && performance.now() >= endMs;
  useEffect(() => {
    if (endMs === null || isOver) return undefined;
    const leftMs = endMs - performance.now() + SPARE_MS;
    const timer = setTimeout(() => setNow(performance.now()), leftMs);
    return () => clearTimeout(timer);
  }, [endMs, isOver]);
  return isOver;
}

/** Seconds that are left of a span that began to count at `readAtMs`; never below 0. */
export function secondsLeft(spanSeconds: number, readAtMs: number, nowMs: number): number {
  return Math.max(0, spanSeconds - (nowMs - readAtMs) / 1000);
}
