/** The relay breaks the rule; the message says what it answered and what was expected. */
export class AssertionFailure extends Error {
  override readonly name = "AssertionFailure";
}

/** A check could not be completed; the message says why. */
export class Inconclusive extends Error {
  override readonly name = "Inconclusive";
}

/** A check does not apply to this relay; the message says why. */
export class LeftOut extends Error {
  override readonly name = "LeftOut";
}

/** There is no relay to check at the address; the message says what is there. */
export class NoRelay extends Error {
  override readonly name = "NoRelay";
}

/**
 * Leaves a check out on a relay from before the promise existed: it kept all that it promised.
 * @param has whether the relay has what came later
 * @param what names it in the reason
 */
export function requireNewer(has: boolean, what: string): void {
  if (!has) throw new LeftOut(`This relay is older: it has no ${what}.`);
}
