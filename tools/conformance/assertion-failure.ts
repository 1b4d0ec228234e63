/** The relay does not keep the rule; the message says what came and what was due. */
export class Shortfall extends Error {
  override readonly name = "Shortfall";
}

/** A check could not be made; the message says what stood in the way. */
export class Hindered extends Error {
  override readonly name = "Hindered";
}

/** A check says nothing of this relay; the message says why. */
export class LeftOut extends Error {
  override readonly name = "LeftOut";
}
