/** New bytes that count as progress: a connection that trickles must not hold a package forever (rule R1). */
export const PROGRESS_BYTES = 65_536;
/** The first backoff; each attempt in a row without progress doubles it. */
const PAUSE_MS = 250;
const MAX_DOUBLINGS = 6;
/** Caps the relay's Retry-After; its rate limits count per minute. */
const MAX_PAUSE_MS = 60_000;

/**
 * Returns how long a download waits after a failed attempt, in milliseconds.
 * @param withoutProgress failed attempts in a row without `PROGRESS_BYTES` new bytes, this one included
 * @param retryAfterSeconds of the relay's answer; 0 without one
 */
export function pauseMs(withoutProgress: number, retryAfterSeconds: number): number {
  const requestedMs = Math.min(retryAfterSeconds * 1000, MAX_PAUSE_MS);
  return Math.max(PAUSE_MS * 2 ** Math.min(withoutProgress, MAX_DOUBLINGS), requestedMs);
}
