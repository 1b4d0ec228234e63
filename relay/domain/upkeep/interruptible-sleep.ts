/** A sleep that can be interrupted, even before it starts. */
export class InterruptibleSleep {
  #isInterrupted = false;
  #wake: () => void = () => {};

  interrupt(): void {
    this.#isInterrupted = true;
    this.#wake();
  }

  async for(ms: number): Promise<void> {
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
}
