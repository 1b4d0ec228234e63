/** A moment as the APIs write it: ISO 8601 in UTC with milliseconds. */
export function timeText(ms: number): string {
  return new Date(ms).toISOString();
}

/** Whole seconds from `now` until a moment, rounded up so that a countdown never ends early; 0 once it has passed. */
export function secondsUntil(ms: number, now: number): number {
  return Math.max(0, Math.ceil((ms - now) / 1000));
}
