/**
 * Makes a queue of one: a piece of work starts when the one before it has settled. Its outcome goes
 * to its own caller only.
 */
export function createMutex(): <Outcome>(work: () => Promise<Outcome>) => Promise<Outcome> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const outcome = last.then(work, work);
    // Whether it failed is its caller's affair; the next one starts either way.
    last = outcome.catch(() => undefined);
    return outcome;
  };
}
