import type { Verdict, Window } from "../domain/ports.ts";

/** The timestamps of events in a window, oldest first, in a ring buffer that grows as needed. */
export class TimestampRing {
  #timestamps = new Float64Array(4);
  #first = 0;
  #count = 0;

  /** Whether one more is allowed now; counts nothing. */
  verdict(now: number, { max, windowMs }: Window): Verdict {
    this.#dropOld(now, windowMs);
    const remaining = max - this.#count;
    const allowed = remaining > 0;
    return { allowed, remaining, retryAfterSeconds: allowed ? 0 : this.#wait(now, max, windowMs) };
  }

  isIdle(now: number, windowMs: number): boolean {
    this.#dropOld(now, windowMs);
    return this.#count === 0;
  }

  add(now: number): void {
    if (this.#count === this.#timestamps.length) this.#grow();
    this.#timestamps[(this.#first + this.#count) % this.#timestamps.length] = now;
    this.#count += 1;
  }

  /** Removes the newest event of that time, if there still is one. */
  remove(time: number): void {
    let index = this.#count - 1;
    while (index >= 0 && this.#at(index) !== time) index -= 1;
    if (index < 0) return;
    const { length } = this.#timestamps;
    for (; index < this.#count - 1; index += 1) {
      this.#timestamps[(this.#first + index) % length] = this.#at(index + 1);
    }
    this.#count -= 1;
  }

  #wait(now: number, max: number, windowMs: number): number {
    const freeAt = max > 0 ? this.#at(this.#count - max) + windowMs : now + windowMs;
    return Math.max(1, Math.ceil((freeAt - now) / 1000));
  }

  /** Also drops events a whole window in the future: the clock was set back. */
  #dropOld(now: number, windowMs: number): void {
    while (this.#count > 0 && Math.abs(now - this.#at(0)) >= windowMs) {
      this.#first = (this.#first + 1) % this.#timestamps.length;
      this.#count -= 1;
    }
  }

  #at(index: number): number {
    return this.#timestamps[(this.#first + index) % this.#timestamps.length] ?? 0;
  }

  #grow(): void {
    const grown = new Float64Array(this.#timestamps.length * 2);
    for (let index = 0; index < this.#count; index += 1) grown[index] = this.#at(index);
    this.#timestamps = grown;
    this.#first = 0;
  }
}
