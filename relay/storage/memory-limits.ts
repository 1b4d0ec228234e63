import type { Bucket, Limits, Verdict, Window } from "../domain/limits.ts";
import type { Clock } from "../domain/ports.ts";

/** Idle keys are looked for after so many counts. */
const TIDY_AFTER = 10_000;

/** Exact sliding windows in one process: each key remembers the moments of its last `max` events. */
export class MemoryLimits implements Limits {
  readonly #clock: Clock;
  readonly #rings = new Map<string, MomentRing>();
  #countsUntilTidy = TIDY_AFTER;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  async count(bucket: Bucket, key: string, { max, windowMs }: Window): Promise<Verdict> {
    const now = this.#clock.now();
    this.#countsUntilTidy -= 1;
    if (this.#countsUntilTidy === 0) this.#forgetIdle(now);
    const name = `${bucket} ${key}`;
    let ring = this.#rings.get(name);
    if (ring === undefined) {
      ring = new MomentRing(max, windowMs);
      this.#rings.set(name, ring);
    }
    return ring.count(now);
  }

  #forgetIdle(now: number): void {
    this.#countsUntilTidy = TIDY_AFTER;
    for (const [name, ring] of this.#rings) {
      if (ring.isIdle(now)) this.#rings.delete(name);
    }
  }
}

/** The moments of the events that still count, oldest first, in a ring that grows as far as `max`. */
class MomentRing {
  readonly #max: number;
  readonly #windowMs: number;
  #moments = new Float64Array(8);
  #first = 0;
  #held = 0;

  constructor(max: number, windowMs: number) {
    this.#max = max;
    this.#windowMs = windowMs;
  }

  count(now: number): Verdict {
    this.#dropOld(now);
    if (this.#held >= this.#max) {
      const waitMs = this.#at(0) + this.#windowMs - now;
      const retryAfterSeconds = Math.max(1, Math.ceil(waitMs / 1000));
      return { allowed: false, remaining: 0, retryAfterSeconds };
    }
    if (this.#held === this.#moments.length) this.#grow();
    this.#moments[(this.#first + this.#held) % this.#moments.length] = now;
    this.#held += 1;
    return { allowed: true, remaining: this.#max - this.#held, retryAfterSeconds: 0 };
  }

  isIdle(now: number): boolean {
    this.#dropOld(now);
    return this.#held === 0;
  }

  #dropOld(now: number): void {
    while (this.#held > 0 && this.#at(0) <= now - this.#windowMs) {
      this.#first = (this.#first + 1) % this.#moments.length;
      this.#held -= 1;
    }
  }

  #at(index: number): number {
    return this.#moments[(this.#first + index) % this.#moments.length] ?? 0;
  }

  #grow(): void {
    const grown = new Float64Array(Math.min(this.#max, this.#moments.length * 2));
    for (let index = 0; index < this.#held; index += 1) grown[index] = this.#at(index);
    this.#moments = grown;
    this.#first = 0;
  }
}
