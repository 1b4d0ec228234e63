import type { Bucket, Limits, RelayClock, Verdict, Window } from "../../domain/ports.ts";

/** Idle keys are removed after this many counts. */
const TIDY_AFTER = 10_000;
/** Keys stored per bucket. Beyond this, the oldest is dropped. */
const MAX_KEYS = 50_000;

/**
 * Exact sliding windows in one process: each key stores the timestamps of its last `max` events. Best counted by
 * a monotonic clock, so that setting the machine's clock neither frees nor blocks anybody.
 */
export class MemoryLimits implements Limits {
  readonly #clock: Pick<RelayClock, "now">;
  readonly #buckets = new Map<Bucket, Map<string, TimestampRing>>();
  #countsUntilTidy = TIDY_AFTER;

  constructor(clock: Pick<RelayClock, "now">) {
    this.#clock = clock;
  }

  async count(bucket: Bucket, key: string, window: Window): Promise<Verdict> {
    const now = this.#clock.now();
    this.#countsUntilTidy -= 1;
    if (this.#countsUntilTidy === 0) this.#dropIdle(now);
    return this.#ringOf(bucket, key, window).count(now);
  }

  #ringOf(bucket: Bucket, key: string, window: Window): TimestampRing {
    let rings = this.#buckets.get(bucket);
    if (rings === undefined) this.#buckets.set(bucket, (rings = new Map()));
    let ring = rings.get(key);
    if (ring === undefined) {
      if (rings.size >= MAX_KEYS) dropOldest(rings);
      rings.set(key, (ring = new TimestampRing(window)));
    }
    return ring;
  }

  #dropIdle(now: number): void {
    this.#countsUntilTidy = TIDY_AFTER;
    for (const rings of this.#buckets.values()) {
      for (const [key, ring] of rings) {
        if (ring.isIdle(now)) rings.delete(key);
      }
    }
  }
}

function dropOldest(rings: Map<string, TimestampRing>): void {
  for (const key of rings.keys()) {
    rings.delete(key);
    return;
  }
}

/** The timestamps of events in the window, oldest first, in a ring buffer that grows up to `max`. */
class TimestampRing {
  readonly #max: number;
  readonly #windowMs: number;
  #timestamps = new Float64Array(8);
  #first = 0;
  #count = 0;

  constructor({ max, windowMs }: Window) {
    this.#max = max;
    this.#windowMs = windowMs;
  }

  count(now: number): Verdict {
    this.#dropOld(now);
    const allowed = this.#count < this.#max;
    if (allowed) this.#add(now);
    const remaining = this.#max - this.#count;
    return { allowed, remaining, retryAfterSeconds: remaining > 0 ? 0 : this.#secondsToWait(now) };
  }

  isIdle(now: number): boolean {
    this.#dropOld(now);
    return this.#count === 0;
  }

  #secondsToWait(now: number): number {
    return Math.max(1, Math.ceil((this.#at(0) + this.#windowMs - now) / 1000));
  }

  /** Also drops events a whole window in the future: the clock was set back. */
  #dropOld(now: number): void {
    while (this.#count > 0 && Math.abs(now - this.#at(0)) >= this.#windowMs) {
      this.#first = (this.#first + 1) % this.#timestamps.length;
      this.#count -= 1;
    }
  }

  #add(now: number): void {
    if (this.#count === this.#timestamps.length) this.#grow();
    this.#timestamps[(this.#first + this.#count) % this.#timestamps.length] = now;
    this.#count += 1;
  }

  #at(index: number): number {
    return this.#timestamps[(this.#first + index) % this.#timestamps.length] ?? 0;
  }

  #grow(): void {
    const grown = new Float64Array(Math.min(this.#max, this.#timestamps.length * 2));
    for (let index = 0; index < this.#count; index += 1) grown[index] = this.#at(index);
    this.#timestamps = grown;
    this.#first = 0;
  }
}
