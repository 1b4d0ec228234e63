import { performance } from "node:perf_hooks";
import { clearTimeout, setTimeout } from "node:timers";
import type { Timers } from "../../core/timers.ts";

export type { Timers } from "../../core/timers.ts";

/** Node's timers, unreferenced: they don't keep the process alive. */
export const REAL_TIMERS: Timers = {
  after(ms, act) {
    const timer = setTimeout(act, ms).unref();
    return () => clearTimeout(timer);
  },
  now: () => performance.now(),
};
