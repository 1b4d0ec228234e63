/** Number of calls at once. More would only wait, because Node has four threads for files. */
const AT_ONCE = 8;

/**
 * Acts on every item, a few at once, even after one fails. Returns the errors.
 * @param atOnce as many as a disk takes by default
 */
export async function tryEach<Item>(
  items: Iterable<Item>,
  act: (item: Item) => Promise<void>,
  atOnce = AT_ONCE,
): Promise<readonly unknown[]> {
  const errors: unknown[] = [];
  // All workers take from the same iterator.
  const rest = [...items].values();
  const work = async (): Promise<void> => {
    for (const item of rest) {
      try {
        await act(item);
      } catch (error) {
        errors.push(error);
      }
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return errors;
}

/** Acts on every item, a few at once. Stops after the first failure. @throws the first failure */
export async function eachUntilOneFails<Item>(
  items: readonly Item[],
  act: (item: Item) => Promise<void>,
): Promise<void> {
  const failures: unknown[] = [];
  await tryEach(items, async (item) => {
    if (failures.length === 0) await act(item).catch((error) => failures.push(error));
  });
  if (failures.length > 0) throw failures[0];
}

/** Throws the only error, or all of them as an `AggregateError`; does nothing if there is none. */
export function throwAny(errors: readonly unknown[], message: string): void {
  if (errors.length === 1) throw errors[0];
  if (errors.length > 1) throw new AggregateError(errors, message);
}
