/** Something that happens before one call of a `DiskProcess`. */
export class Interruption {
  /** The calls of the attempt: those before the interruption, the interrupted one, and those after it. */
  readonly calls: string[] = [];
  readonly #step: number;
  #act: (() => Promise<unknown>) | undefined;

  constructor(step: number) {
    this.#step = step;
  }

  get hasHappened(): boolean {
    return this.#step < this.calls.length;
  }

  /** True if the attempt made no more calls after the interrupted one. */
  get wasLast(): boolean {
    return this.#step === this.calls.length - 1;
  }

  get callsBefore(): readonly string[] {
    return this.calls.slice(0, this.#step);
  }

  /** Attempts something, and acts before its call whose turn it is. */
  async interrupt<Result>(
    attempt: () => Promise<Result>,
    act: () => Promise<unknown>,
  ): Promise<Result> {
    this.#act = act;
    try {
      return await attempt();
    } finally {
      this.#act = undefined;
    }
  }

  readonly before = async (call: string): Promise<void> => {
    if (this.#act !== undefined && this.calls.push(call) - 1 === this.#step) await this.#act();
  };
}

/**
 * Attempts something interrupted before its first call, then interrupted before its second, and so on, until
 * it ends without an interruption. Returns how many there were.
 */
export async function interruptEachCall(
  attempt: (interruption: Interruption) => Promise<void>,
): Promise<number> {
  for (let step = 0; ; step += 1) {
    const interruption = new Interruption(step);
    await attempt(interruption);
    if (!interruption.hasHappened) return step;
  }
}
