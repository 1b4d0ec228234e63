/** Number of items in a batch: few enough for one look-up, and for a relay's own work in between. */
export const BATCH = 200;

export async function* inBatches<Item>(
  items: AsyncIterable<Item>,
): AsyncGenerator<readonly Item[]> {
  let batch: Item[] = [];
  for await (const item of items) {
    batch.push(item);
    if (batch.length < BATCH) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

export function* batchesOf<Item>(items: readonly Item[]): Generator<readonly Item[]> {
  for (let start = 0; start < items.length; start += BATCH) yield items.slice(start, start + BATCH);
}

/** Reads a list page by page. @param read reads the page after an item; the one after the last item is empty */
export async function* pagesOf<Item>(
  read: (last: Item | undefined) => Promise<readonly Item[]>,
): AsyncGenerator<readonly Item[]> {
  let last: Item | undefined;
  for (;;) {
    const page = await read(last);
    if (page.length === 0) return;
    yield page;
    last = page.at(-1);
  }
}

/** Collects all items. */
export async function all<Item>(items: AsyncIterable<Item>): Promise<readonly Item[]> {
  const found: Item[] = [];
  for await (const item of items) found.push(item);
  return found;
}

export function keysOf(sounds: readonly { readonly key: string }[]): readonly string[] {
  return sounds.map(({ key }) => key);
}
