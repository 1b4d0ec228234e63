import pLimit from "p-limit";

/** Number of sounds that are downloaded at the same time. */
const SOUNDS_AT_ONCE = 4;

export interface ConcurrentTask {
  /** Aborts with the caller's signal, and when another item fails. */
  readonly signal: AbortSignal;
  /** Adds work outside the limit; the call awaits it before it returns. */
  readonly alongside: (work: Promise<void>) => void;
}

/**
 * Calls `work` for each item in order, with a concurrency limit.
 * @throws {unknown} the first failure, which stops all work, or the signal's reason; nothing runs by then
 */
export async function forEachConcurrently<Item>(
  items: readonly Item[],
  signal: AbortSignal,
  work: (item: Item, task: ConcurrentTask) => Promise<void>,
  concurrency = SOUNDS_AT_ONCE,
): Promise<void> {
  const failed = new AbortController();
  const either = AbortSignal.any([signal, failed.signal]);
  const stop = (error: unknown) => failed.abort(error);
  const extra: Promise<void>[] = [];
  const task: ConcurrentTask = {
    signal: either,
    alongside: (promise) => void extra.push(promise.catch(stop)),
  };
  const limit = pLimit(concurrency);
  const run = async (item: Item) => {
    try {
      either.throwIfAborted();
      await work(item, task);
    } catch (error) {
      // Stop here: `pLimit` starts the next item before its promise rejects.
      stop(error);
    }
  };
  await limit.map(items, run);
  await Promise.all(extra);
  either.throwIfAborted();
}
