/**
 * The relay's time. Every state, window, lease and deletion follows it, so that processes that share a store
 * agree; a store with a clock of its own is its source.
 */
export interface RelayClock {
  /**
   * Returns the time that everything is stamped with: milliseconds since 1970, UTC, as a whole number. Never decreases
   * within a process, unless an operator resets the clock. The clocks of two processes on one store differ by at most a
   * second.
   */
  now(): number;
  /**
   * Returns the latest time that is certain to have come, for all that expires or can't be undone: `now()`, except
   * after the machine's clock was set. After a jump forward it continues from before the jump until the jump is proven;
   * after a jump back it stands still until the clock has caught up (rule Z6). It is never after `now()` and never
   * decreases. A clock that is always right returns `now()`.
   */
  confirmedNow(): number;
}

/**
 * - `forward`: the clock jumped ahead by more than an hour. Nothing expires until the jump is proven, at the
 *   earliest at `provenAt` by this clock.
 * - `back`: the machine's clock is more than an hour behind `now()`.
 */
export type ClockJump =
  | { readonly kind: "forward"; readonly provenAt: number }
  | { readonly kind: "back" };

/** An ability that a clock may have: it notices when the machine's clock is set (rule Z6). */
export interface WatchfulClock extends RelayClock {
  /** Returns the present jump; undefined if there is none. */
  findJump(): ClockJump | undefined;
  /** Forgets the past, and follows the machine's clock from now on, because an operator says that it is right. */
  restart(): void;
}

export function noticesJumps(clock: RelayClock): clock is WatchfulClock {
  return "findJump" in clock;
}
