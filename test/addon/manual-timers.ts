import type { Timers } from "../../addon/timers.ts";

/** A clock that moves only when a test says so. */
export class ManualTimers implements Timers {
  #now = 0;
  readonly #waiting = new Map<symbol, { readonly at: number; readonly act: () => void }>();

  after(ms: number, act: () => void): () => void {
    const key = Symbol("timer");
    this.#waiting.set(key, { at: this.#now + ms, act });
    return () => {
      this.#waiting.delete(key);
    };
  }

  now(): number {
    return this.#now;
  }

  /** Lets time pass without a timer, as on a computer that sleeps. */
  sleep(ms: number): void {
    this.#now += ms;
  }

  /** Remaining time of each waiting timer, shortest first. */
  get remaining(): readonly number[] {
    return [...this.#waiting.values()].map(({ at }) => at - this.#now).sort((a, b) => a - b);
  }

  advance(ms: number): void {
    this.#now += ms;
    for (const [key, { at, act }] of this.#waiting) {
      if (at > this.#now) continue;
      this.#waiting.delete(key);
      act();
    }
  }
}
