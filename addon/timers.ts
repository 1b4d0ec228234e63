import { performance } from "node:perf_hooks";
import { clearTimeout, setTimeout } from "node:timers";
import { MAX_TIMER_MS, type Timers } from "../core/timers.ts";

export type { Timers } from "../core/timers.ts";

/** Node's timers, unreferenced: they don't keep the process alive. A longer delay than Node has ends after 24 days. */
export const REAL_TIMERS: Timers = {
  after(ms, act) {
    const timer = setTimeout(act, Math.min(ms, MAX_TIMER_MS)).unref();
    return () => clearTimeout(timer);
  },
  now: () => performance.now(),
};

interface DeadlineOptions {
  readonly ms: number;
  readonly late: () => Error;
  readonly signal: AbortSignal;
  readonly timers: Timers;
}

/** Settles like `work`, but rejects with the signal's reason on abort and with `late()` after `ms` milliseconds. */
export async function withDeadline<Outcome>(
  work: Promise<Outcome>,
  options: DeadlineOptions,
): Promise<Outcome> {
  using deadlines = new Deadlines(options);
  return await deadlines.meet(work);
}

/** Applies `withDeadline` to one piece of work after another. They share one listener, which costs more than a timer. */
export class Deadlines implements Disposable {
  readonly #options: DeadlineOptions;
  readonly #abort = () => {
    this.#isAborted = true;
    this.#giveUp();
  };
  #isAborted: boolean;
  #giveUp = () => {};

  constructor(options: DeadlineOptions) {
    this.#options = options;
    this.#isAborted = options.signal.aborted;
    options.signal.addEventListener("abort", this.#abort, { once: true });
  }

  /** Awaits one piece of work; the last one must have settled. */
  meet<Outcome>(work: Promise<Outcome>): Promise<Outcome> {
    const { ms, late, signal, timers } = this.#options;
    return new Promise((resolve, reject) => {
      const cancelTimer = timers.after(ms, () => reject(late()));
      const settle = (act: () => void) => {
        cancelTimer();
        act();
      };
      this.#giveUp = () => settle(() => reject(signal.reason));
      if (this.#isAborted) this.#giveUp();
      work.then(
        (outcome) => settle(() => resolve(outcome)),
        (error: unknown) => settle(() => reject(error)),
      );
    });
  }

  [Symbol.dispose](): void {
    this.#options.signal.removeEventListener("abort", this.#abort);
  }
}

/**
 * Settles like `work`, but rejects with the signal's reason on abort. The work itself continues, and its result is
 * dropped.
 */
export function untilAborted<Outcome>(
  work: Promise<Outcome>,
  signal: AbortSignal,
): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener("abort", abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}
