/** Returns a mutex: a function that runs work exclusively, in the order of its calls. */
export function newMutex(): <Outcome>(work: () => Promise<Outcome>) => Promise<Outcome> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const outcome = last.then(work);
    last = outcome.catch(() => undefined);
    return outcome;
  };
}
