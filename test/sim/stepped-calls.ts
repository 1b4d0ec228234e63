import { PortCalls } from "./port-calls.ts";

/**
 * The calls of one caller to its stores, held before a chosen one until the test lets it go on. Calls are counted from
 * 0. Another caller in the same process makes all of its calls meanwhile, so that a walk over the points tries every
 * order in which the two may meet.
 */
export class SteppedCalls extends PortCalls {
  readonly #holdAt: number;
  readonly #reached = Promise.withResolvers<string>();
  readonly #goOn = Promise.withResolvers<void>();
  #points = 0;

  constructor(holdAt = Infinity) {
    super();
    this.#holdAt = holdAt;
  }

  /** Resolves with the call's name once it is held. */
  get reached(): Promise<string> {
    return this.#reached.promise;
  }

  letGo(): void {
    this.#goOn.resolve();
  }

  /** Nothing else happens between the end of a call and the next one. */
  override async pass(where: string): Promise<void> {
    if (where.startsWith("after ")) return;
    const isHere = this.#points === this.#holdAt;
    this.#points += 1;
    if (!isHere) return;
    this.#reached.resolve(where);
    await this.#goOn.promise;
  }
}
