import { performance } from "node:perf_hooks";
import { clearTimeout, setTimeout } from "node:timers";
import type { Timers } from "../core/timers.ts";

export type { Timers } from "../core/timers.ts";

/** Longest delay of a timer; Node fires a longer one at once. */
export const MAX_TIMER_MS = 2 ** 31 - 1;

/** Node's timers, unreferenced: they don't keep the process alive. A longer delay than Node has ends after 24 days. */
export const REAL_TIMERS: Timers = {
  after(ms, act) {
    const timer = setTimeout(act, Math.min(ms, MAX_TIMER_MS)).unref();
    return () => clearTimeout(timer);
  },
  now: () => performance.now(),
};

/** Settles like `work`, but rejects with the signal's reason on abort and with `late()` after `ms` milliseconds. */
export function withDeadline<Outcome>(
  work: Promise<Outcome>,
  options: {
    readonly ms: number;
    readonly late: () => Error;
    readonly signal: AbortSignal;
    readonly timers: Timers;
  },
): Promise<Outcome> {
  const { ms, late, signal, timers } = options;
  return new Promise((resolve, reject) => {
    const settle = (act: () => void) => {
      cancelTimer();
      signal.removeEventListener("abort", abort);
      act();
    };
    const abort = () => settle(() => reject(signal.reason));
    const cancelTimer = timers.after(ms, () => settle(() => reject(late())));
    signal.addEventListener("abort", abort, { once: true });
    if (signal.aborted) abort();
    work.then(
      (outcome) => settle(() => resolve(outcome)),
      (error: unknown) => settle(() => reject(error)),
    );
  });
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
