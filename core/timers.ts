/** Longest delay of a timer; engines fire a longer one at once. */
export const MAX_TIMER_MS = 2 ** 31 - 1;

/** A monotonic clock and its timers as a dependency; tests drive them by hand. */
export interface Timers {
  /** Calls `act` once after `ms`; the returned function cancels it. */
  after(ms: number, act: () => void): () => void;
  /** Returns milliseconds on a clock that is never set back. */
  now(): number;
}
