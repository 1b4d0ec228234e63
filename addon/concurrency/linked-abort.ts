/**
 * Does a piece of work with a controller of its own: it aborts with the outer signal, and when the
 * work rejects, so that nothing which was started with it goes on.
 */
export async function withLinkedAbort<Outcome>(
  outer: AbortSignal,
  work: (own: AbortController) => Promise<Outcome>,
): Promise<Outcome> {
  outer.throwIfAborted();
  const own = new AbortController();
  const abort = () => own.abort(outer.reason);
  outer.addEventListener("abort", abort, { once: true });
  try {
    return await work(own);
  } catch (error) {
    own.abort(error);
    throw error;
  } finally {
    outer.removeEventListener("abort", abort);
  }
}
