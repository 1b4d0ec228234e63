import type { Timers } from "./timers.ts";

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
