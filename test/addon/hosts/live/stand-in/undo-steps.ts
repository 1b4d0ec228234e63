/** One undo step: the labels of what it did, in the order in which it happened. */
export type UndoStep = readonly string[];

/**
 * Live's undo history. Each call is a step of its own, but for those that start while a transaction is
 * open: they are one step together, whenever they happen.
 */
export class UndoSteps {
  readonly #steps: string[][] = [];
  #open: string[] | undefined;

  /** The undo steps, without failed ones. */
  get taken(): readonly UndoStep[] {
    return this.#steps.filter((step) => step.length > 0);
  }

  /** The undo step to which a call that starts now belongs. */
  begin(): string[] {
    if (this.#open !== undefined) return this.#open;
    const step: string[] = [];
    this.#steps.push(step);
    return step;
  }

  /** Makes one step of all that starts before `act` returns. */
  withDeadline<Outcome>(act: () => Outcome): Outcome {
    const outer = this.#open;
    this.#open = this.begin();
    try {
      return act();
    } finally {
      this.#open = outer;
    }
  }
}
