/** Formats a timestamp as the APIs write it: ISO 8601 in UTC with milliseconds. */
export function timeText(ms: number): string {
  return new Date(ms).toISOString();
}

/** Returns whole seconds from `now` until `ms`, rounded up so a countdown never ends early; 0 once passed. */
export function secondsUntil(ms: number, now: number): number {
  return Math.max(0, Math.ceil((ms - now) / 1000));
}
