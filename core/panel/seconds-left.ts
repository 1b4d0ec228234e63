/** Returns the whole seconds left of a span that was read `ageSeconds` ago; at least 0. */
export function secondsLeft(spanSeconds: number, ageSeconds: number): number {
  return Math.max(0, Math.floor(spanSeconds - ageSeconds));
}
