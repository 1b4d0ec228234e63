/** Settles like `work`, but rejects with the signal's reason on abort. The work itself goes on, unheard. */
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
