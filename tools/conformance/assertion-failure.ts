/** The relay does not keep the rule; the message says what came and what was due. */
export class AssertionFailure extends Error {
  override readonly name = "AssertionFailure";
}

/** A check could not be made; the message says what stood in the way. */
export class Inconclusive extends Error {
  override readonly name = "Inconclusive";
}

/** A check says nothing of this relay; the message says why. */
export class LeftOut extends Error {
  override readonly name = "LeftOut";
}
