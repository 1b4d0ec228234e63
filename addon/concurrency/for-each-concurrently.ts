import pLimit from "p-limit";

/** Sounds that are fetched at the same time. */
const SOUNDS_AT_ONCE = 4;

/** What works through the items. */
export interface ConcurrentTask {
  /** Aborts with the caller's signal, and when another item fails. */
  readonly signal: AbortSignal;
  /** Runs a piece of work outside the limit; it is awaited at the end. */
  readonly alongside: (work: Promise<void>) => void;
}

/**
 * Works through the items in their order, with a concurrency limit.
 * @throws {unknown} the first failure, which stops all, or the signal's reason; by then nothing is running
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
  const besides: Promise<void>[] = [];
  const task: ConcurrentTask = {
    signal: either,
    alongside: (beside) => void besides.push(beside.catch(stop)),
  };
  const limit = pLimit(concurrency);
  const run = async (item: Item) => {
    try {
      either.throwIfAborted();
      await work(item, task);
    } catch (error) {
      // Here, not behind the limit: the next item begins before the limit passes a failure on.
      stop(error);
    }
  };
  await limit.map(items, run);
  await Promise.all(besides);
  either.throwIfAborted();
}
