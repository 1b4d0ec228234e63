import { performance } from "node:perf_hooks";
import { clearTimeout, setTimeout } from "node:timers";

/** Timers as a dependency; tests drive them by hand. */
export interface Timers {
  /** Calls `act` once after `ms`; the returned function cancels it. */
  after(ms: number, act: () => void): () => void;
  /** Milliseconds on a clock that is never set back. */
  now(): number;
}

/** Node's timers, unreferenced: they don't keep the process alive. */
export const REAL_TIMERS: Timers = {
  after(ms, act) {
    const timer = setTimeout(act, ms).unref();
    return () => clearTimeout(timer);
  },
  now: () => performance.now(),
};
