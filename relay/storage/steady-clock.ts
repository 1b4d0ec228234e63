import type { RelayClock } from "../domain/ports.ts";

/** Where a clock gets its time: both in milliseconds, fractions allowed. */
export interface TimeSources {
  /** Since 1970, UTC. May be set back or forward at any time. */
  readonly wall: () => number;
  /** Since any moment. Never decreases. */
  readonly monotonic: () => number;
}

/**
 * The wall clock, except that it never goes back (rule J3): while the wall clock is behind the time that was
 * last told, this one goes on at half speed until the wall clock has caught up. It follows a step forward at
 * once.
 */
export class SteadyClock implements RelayClock {
  readonly #sources: TimeSources;
  #told = -Infinity;
  #toldAt = 0;

  constructor(sources: TimeSources) {
    this.#sources = sources;
  }

  now(): number {
    const wall = this.#sources.wall();
    const at = this.#sources.monotonic();
    this.#told = Math.max(wall, this.#told + (at - this.#toldAt) / 2);
    this.#toldAt = at;
    return Math.floor(this.#told);
  }
}
