/**
 * Notices that a server doesn't answer, with one timer for all questions. While this process itself was held up, answers
 * may have arrived that it has not read yet, so it reads before it judges.
 */
export class AnswerWatch {
  readonly #patienceMs: number;
  readonly #onSilence: () => void;
  #open = 0;
  #answers = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(patienceMs: number, onSilence: () => void) {
    this.#patienceMs = patienceMs;
    this.#onSilence = onSilence;
  }

  /** The same question, watched until it is answered. */
  async during<Answer>(asked: Promise<Answer>): Promise<Answer> {
    this.#open += 1;
    if (this.#timer === undefined) this.#watch();
    try {
      return await asked;
    } finally {
      this.#open -= 1;
      this.#answers += 1;
    }
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #watch(): void {
    const seen = this.#answers;
    this.#timer = setTimeout(() => {
      setImmediate(() => {
        if (this.#timer === undefined) return;
        this.#timer = undefined;
        if (this.#open === 0) return;
        if (this.#answers === seen) this.#onSilence();
        else this.#watch();
      });
    }, this.#patienceMs);
    this.#timer.unref();
  }
}
