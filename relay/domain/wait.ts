/** A wait that ends after a fixed time or with a signal, and can be interrupted, even before it sleeps. */
export class Wait implements Disposable {
  readonly #stopped: AbortSignal;
  readonly #timer: ReturnType<typeof setTimeout>;
  #isOver = false;
  #isInterrupted = false;
  #wake: () => void = () => {};

  /** @param ms real time */
  constructor(ms: number, stopped: AbortSignal) {
    this.#stopped = stopped;
    this.#timer = setTimeout(this.end, ms);
    stopped.addEventListener("abort", this.end);
    if (stopped.aborted) this.end();
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  readonly end = (): void => {
    this.#isOver = true;
    this.lookAgain();
  };

  /** Ends the present or the next sleep, and not the wait. */
  readonly lookAgain = (): void => {
    this.#isInterrupted = true;
    this.#wake();
  };

  /** Sleeps for at most that time. Resolves at once when the wait is over. */
  async sleep(ms: number): Promise<void> {
    if (this.#isOver) return;
    if (!this.#isInterrupted) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms);
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    this.#isInterrupted = false;
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
    this.#stopped.removeEventListener("abort", this.end);
  }
}
