/**
 * Rejects with the signal's reason as soon as it aborts, while the work goes on.
 * @param onLate gets what comes after that
 */
export async function orAbort<Result>(
  work: Promise<Result>,
  signal: AbortSignal | undefined,
  onLate: (result: Result) => void,
): Promise<Result> {
  if (signal === undefined) return work;
  const over = new AbortController();
  const aborted = new Promise<never>((_, reject) => {
    const stop = (): void => reject(signal.reason);
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop, { once: true, signal: over.signal });
  });
  try {
    return await Promise.race([work, aborted]);
  } catch (error) {
    if (signal.aborted) work.then(onLate, () => undefined);
    throw error;
  } finally {
    over.abort();
  }
}
