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
