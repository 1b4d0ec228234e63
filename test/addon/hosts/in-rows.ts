/** The number of runs at a time: enough to use the waits for the disk. */
const ROW = 8;

/** Runs work for each item with a concurrency limit; returns the results in order. */
export async function inRows<Item, Outcome>(
  items: readonly Item[],
  work: (item: Item) => Promise<Outcome>,
): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = [];
  for (let from = 0; from < items.length; from += ROW) {
    outcomes.push(...(await Promise.all(items.slice(from, from + ROW).map(work))));
  }
  return outcomes;
}
