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

/** A timer may fire slightly early. */
const SPARE_MS = 50;

/**
 * Returns whether a span that started at `readAtMs` is over, and renders again when it ends.
 * @param spanSeconds null never ends
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

/** Returns the seconds left of a span that started at `readAtMs`; at least 0. */
export function secondsLeft(spanSeconds: number, readAtMs: number, nowMs: number): number {
  return Math.max(0, spanSeconds - (nowMs - readAtMs) / 1000);
}
