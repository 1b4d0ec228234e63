import { clearTimeout, setTimeout } from "node:timers";

/** What waits; tests put a hand-driven one in its place. */
export interface Timers {
  /** Calls `act` once after `ms`; the function that is given back calls it off. */
  after(ms: number, act: () => void): () => void;
}

/** The real clock. A timer alone keeps no process alive. */
export const REAL_TIMERS: Timers = {
  after(ms, act) {
    const timer = setTimeout(act, ms).unref();
    return () => clearTimeout(timer);
  },
};
