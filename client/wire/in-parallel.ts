/**
 * Runs `act` for every item, at most `limit` at a time. A failure aborts the signal that every act gets; the
 * first one is thrown once all running acts have ended.
 */
export async function inParallel<Item>(
  items: readonly Item[],
  limit: number,
  act: (item: Item, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const queue = [...items];
  const failed = new AbortController();
  const work = async (): Promise<void> => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) {
      if (failed.signal.aborted) return;
      try {
        await act(item, failed.signal);
      } catch (error) {
        failed.abort(error);
      }
    }
  };
  await Promise.all(Array.from({ length: limit }, work));
  if (failed.signal.aborted) throw failed.signal.reason;
}
