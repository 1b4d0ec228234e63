import type { Bucket, Limits, Verdict, Window } from "../../domain/limits.ts";
import type { Clock } from "../../domain/ports.ts";

/** Idle keys are removed after this many counts. */
const TIDY_AFTER = 10_000;
/** Keys stored per bucket. Beyond this, the oldest is dropped. */
const MAX_KEYS = 50_000;

/** Exact sliding windows in one process: each key stores the timestamps of its last `max` events. */
export class MemoryLimits implements Limits {
  readonly #clock: Clock;
  readonly #buckets = new Map<Bucket, Map<string, MomentRing>>();
  #countsUntilTidy = TIDY_AFTER;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  async count(bucket: Bucket, key: string, window: Window): Promise<Verdict> {
    const now = this.#clock.now();
    this.#countsUntilTidy -= 1;
    if (this.#countsUntilTidy === 0) this.#forgetIdle(now);
    return this.#ringOf(bucket, key, window).count(now);
  }

  #ringOf(bucket: Bucket, key: string, window: Window): MomentRing {
    let rings = this.#buckets.get(bucket);
    if (rings === undefined) this.#buckets.set(bucket, (rings = new Map()));
    let ring = rings.get(key);
    if (ring === undefined) {
      if (rings.size >= MAX_KEYS) forgetFirst(rings);
      rings.set(key, (ring = new MomentRing(window)));
    }
    return ring;
  }

  #forgetIdle(now: number): void {
    this.#countsUntilTidy = TIDY_AFTER;
    for (const rings of this.#buckets.values()) {
      for (const [key, ring] of rings) {
        if (ring.isIdle(now)) rings.delete(key);
      }
    }
  }
}

function forgetFirst(rings: Map<string, MomentRing>): void {
  for (const key of rings.keys()) {
    rings.delete(key);
    return;
  }
}

/** The timestamps of events in the window, oldest first, in a ring buffer that grows up to `max`. */
class MomentRing {
  readonly #max: number;
  readonly #windowMs: number;
  #moments = new Float64Array(8);
  #first = 0;
  #held = 0;

  constructor({ max, windowMs }: Window) {
    this.#max = max;
    this.#windowMs = windowMs;
  }

  count(now: number): Verdict {
    this.#dropOld(now);
    const allowed = this.#held < this.#max;
    if (allowed) this.#add(now);
    const remaining = this.#max - this.#held;
    return { allowed, remaining, retryAfterSeconds: remaining > 0 ? 0 : this.#secondsToWait(now) };
  }

  isIdle(now: number): boolean {
    this.#dropOld(now);
    return this.#held === 0;
  }

  #secondsToWait(now: number): number {
    return Math.max(1, Math.ceil((this.#at(0) + this.#windowMs - now) / 1000));
  }

  /** Also drops events a whole window in the future: the clock was set back. */
  #dropOld(now: number): void {
    while (this.#held > 0 && Math.abs(now - this.#at(0)) >= this.#windowMs) {
      this.#first = (this.#first + 1) % this.#moments.length;
      this.#held -= 1;
    }
  }

  #add(now: number): void {
    if (this.#held === this.#moments.length) this.#grow();
    this.#moments[(this.#first + this.#held) % this.#moments.length] = now;
    this.#held += 1;
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
