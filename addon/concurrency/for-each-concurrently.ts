import { withLinkedAbort } from "./linked-abort.ts";

/** Sounds that are fetched at the same time. */
const SOUNDS_AT_ONCE = 4;

/** What works through the items. */
export interface ConcurrentTask {
  readonly signal: AbortSignal;
  /** Lets a piece of work go on beside the lanes; it is waited for at the end. */
  readonly alongside: (work: Promise<void>) => void;
}

/**
 * Works through the items, a few at a time and in their order.
 * @param lanes how many at a time
 * @throws {unknown} the first failure, which stops all, or the signal's reason
 */
export function forEachConcurrently<Item>(
  items: readonly Item[],
  signal: AbortSignal,
  work: (item: Item, lane: ConcurrentTask) => Promise<void>,
  lanes = SOUNDS_AT_ONCE,
): Promise<void> {
  return withLinkedAbort(signal, async (own) => {
    const stop = (error: unknown) => own.abort(error);
    const besides: Promise<void>[] = [];
    const lane: ConcurrentTask = {
      signal: own.signal,
      alongside: (beside) => void besides.push(beside.catch(stop)),
    };
    const queue = items.values();
    const drive = async () => {
      for (const item of queue) {
        own.signal.throwIfAborted();
        await work(item, lane);
      }
    };
    await Promise.all(Array.from({ length: lanes }, () => drive().catch(stop)));
    await Promise.all(besides);
    own.signal.throwIfAborted();
  });
}
