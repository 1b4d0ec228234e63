import type { Timers } from "../../../../core/timers.ts";

/** The longest delay of a browser's timer. */
const MAX_TIMER_MS = 2 ** 31 - 1;

export const BROWSER_TIMERS: Timers = {
  after(ms, act) {
    const timer = setTimeout(act, Math.min(ms, MAX_TIMER_MS));
    return () => clearTimeout(timer);
  },
  now: () => performance.now(),
};
