import type { RelayClock } from "../domain/ports.ts";

/** Where a clock gets its time: both in milliseconds, fractions allowed. */
export interface TimeSources {
  /** Since 1970, UTC. May be set back or forward at any time. */
  readonly wall: () => number;
  /** Since any moment. Never decreases. */
  readonly monotonic: () => number;
}

/**
 * The wall clock, except that it never goes back (rule J3). After the wall clock was set back, this one goes on
 * at half speed until the wall clock has caught up. It follows a step forward at once.
 */
export class SteadyClock implements RelayClock {
  readonly #sources: TimeSources;
  #last = -Infinity;
  #lastAt = 0;

  constructor(sources: TimeSources) {
    this.#sources = sources;
  }

  now(): number {
    const wall = this.#sources.wall();
    const at = this.#sources.monotonic();
    this.#last = Math.max(wall, this.#last + (at - this.#lastAt) / 2);
    this.#lastAt = at;
    return Math.floor(this.#last);
  }
}
