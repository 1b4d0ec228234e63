import { withLinkedAbort } from "./linked-abort.ts";

/** Sounds that are fetched at the same time. */
const SOUNDS_AT_ONCE = 4;

/** What the work on one item gets. */
export interface ConcurrentTask {
  readonly signal: AbortSignal;
  /** Lets a piece of work run outside the limit; it is waited for at the end. */
  readonly alongside: (work: Promise<void>) => void;
}

/**
 * Works through the items, a few at a time and in their order.
 * @param limit how many at a time
 * @throws {unknown} the first failure, which stops all, or the signal's reason
 */
export function forEachConcurrently<Item>(
  items: readonly Item[],
  signal: AbortSignal,
  work: (item: Item, task: ConcurrentTask) => Promise<void>,
  limit = SOUNDS_AT_ONCE,
): Promise<void> {
  return withLinkedAbort(signal, async (own) => {
    const stop = (error: unknown) => own.abort(error);
    const besides: Promise<void>[] = [];
    const task: ConcurrentTask = {
      signal: own.signal,
      alongside: (beside) => void besides.push(beside.catch(stop)),
    };
    const queue = items.values();
    const drive = async () => {
      for (const item of queue) {
        own.signal.throwIfAborted();
        await work(item, task);
      }
    };
    await Promise.all(Array.from({ length: limit }, () => drive().catch(stop)));
    await Promise.all(besides);
    own.signal.throwIfAborted();
  });
}
