/** Formats a timestamp as the APIs write it: ISO 8601 in UTC with milliseconds. */
export function timeText(ms: number): string {
  return new Date(ms).toISOString();
}

/** Returns whole seconds from `now` until `ms`, rounded up so a countdown never ends early; 0 once passed. */
export function secondsUntil(ms: number, now: number): number {
  return Math.max(0, Math.ceil((ms - now) / 1000));
}

/** Returns the whole seconds left of a span that was read `ageSeconds` ago; at least 0. */
export function secondsLeft(spanSeconds: number, ageSeconds: number): number {
  return Math.max(0, Math.floor(spanSeconds - ageSeconds));
}
