/**
 * The relay's time. Every state, window, lease and deletion follows it, so that processes that share a store
 * agree; a store with a clock of its own is its source.
 */
export interface RelayClock {
  /**
   * Milliseconds since 1970, UTC, as a whole number. Never decreases within a process. The clocks of two
   * processes on one store differ by at most a second.
   */
  now(): number;
}
