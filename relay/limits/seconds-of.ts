/** Whole seconds to wait, at least 1; 0 for no wait. */
export function secondsOf(waitMs: number): number {
  return waitMs > 0 ? Math.max(1, Math.ceil(waitMs / 1000)) : 0;
}
