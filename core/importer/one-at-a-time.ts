/** Returns a function that runs work one piece at a time, in the order of its calls. */
export function oneAtATime(): <Outcome>(work: () => Promise<Outcome>) => Promise<Outcome> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const outcome = last.then(work);
    last = outcome.catch(() => undefined);
    return outcome;
  };
}
