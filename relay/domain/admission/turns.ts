import { SLICE_MS } from "../../../core/quotas/budgets.ts";

/**
 * A queue of work that would delay others' answers, such as reading long lists. All of it together gets a slice of each
 * turn of the event loop, in the order of the requests, a piece at a time.
 */
export class Turns {
  readonly #waiting: (() => Promise<void>)[] = [];
  readonly #now: () => number;
  #isServing = false;

  /** @param now milliseconds of a steady clock */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Does a piece of work in its turn. Rejects with what it throws. */
  take<Result>(work: () => Promise<Result>): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#waiting.push(() => work().then(resolve, reject));
      if (!this.#isServing) void this.#serve();
    });
  }

  async #serve(): Promise<void> {
    this.#isServing = true;
    let startedAt = this.#now();
    for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift()) {
      // Work that waits for something itself delays nobody.
      await Promise.race([next(), nextTurn()]);
      if (this.#now() - startedAt < SLICE_MS) continue;
      await nextTurn();
      startedAt = this.#now();
    }
    this.#isServing = false;
  }
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
