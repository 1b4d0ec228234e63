import type { Timers } from "./timers.ts";

/**
 * Settles as `work` does, unless the signal aborts or `ms` milliseconds pass first; what `work` comes
 * to after that is not heard. Rejects with the signal's reason, or with what `late` makes.
 */
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
      callOff();
      signal.removeEventListener("abort", abort);
      act();
    };
    const abort = () => settle(() => reject(signal.reason));
    const callOff = timers.after(ms, () => settle(() => reject(late())));
    signal.addEventListener("abort", abort, { once: true });
    if (signal.aborted) abort();
    work.then(
      (outcome) => settle(() => resolve(outcome)),
      (error: unknown) => settle(() => reject(error)),
    );
  });
}
