import { MAX_TIMER_MS, type Timers } from "../../../../core/timers.ts";

export const BROWSER_TIMERS: Timers = {
  after(ms, act) {
    const timer = setTimeout(act, Math.min(ms, MAX_TIMER_MS));
    return () => clearTimeout(timer);
  },
  now: () => performance.now(),
};
