import type { Timers } from "../core/timers.ts";

/** Node's timers. */
export const NODE_TIMERS: Timers = {
  after(ms, act) {
    const timer = setTimeout(act, ms);
    return () => clearTimeout(timer);
  },
  now: () => performance.now(),
};
