const SLOTS = 12;
const WINDOW_MS = 60_000;
const SLOT_MS = WINDOW_MS / SLOTS;

/** The sum of what was added in the last minute, in slots of 5 s: it forgets a slot at a time. */
export class SlidingSum {
  readonly #slots = new Float64Array(SLOTS);
  #slot = 0;
  #sum = 0;

  add(amount: number, now: number): void {
    this.#forget(now);
    const at = this.#slot % SLOTS;
    this.#slots[at] = (this.#slots[at] ?? 0) + amount;
    this.#sum += amount;
  }

  total(now: number): number {
    this.#forget(now);
    return this.#sum;
  }

  /** Whole seconds, at least 1, until less than `max` is left of it. */
  secondsUntilBelow(max: number, now: number): number {
    this.#forget(now);
    let left = this.#sum;
    let slots = 0;
    while (left >= max && slots < SLOTS) {
      slots += 1;
      left -= this.#slots[(this.#slot + slots) % SLOTS] ?? 0;
    }
    const freeAt = (this.#slot + slots) * SLOT_MS;
    return Math.max(1, Math.ceil((freeAt - now) / 1000));
  }

  #forget(now: number): void {
    const slot = Math.floor(now / SLOT_MS);
    const passed = Math.min(SLOTS, slot - this.#slot);
    for (let index = 1; index <= passed; index += 1) {
      const at = (this.#slot + index) % SLOTS;
      this.#sum -= this.#slots[at] ?? 0;
      this.#slots[at] = 0;
    }
    if (passed === SLOTS) this.#sum = 0;
    this.#slot = Math.max(this.#slot, slot);
  }
}
