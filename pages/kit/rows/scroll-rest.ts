/** Time without scrolling after which the page rests. */
const REST_MS = 120;

/** Debounces work until nothing scrolls. */
export class ScrollRest {
  #scrolledAtMs = -Infinity;

  scrolled(): void {
    this.#scrolledAtMs = performance.now();
  }

  /** Runs work 120 ms from now, or 120 ms after the last scroll. Returns a function that cancels it. */
  onceResting(work: () => void): () => void {
    const look = (): void => {
      const restsInMs = this.#scrolledAtMs + REST_MS - performance.now();
      if (restsInMs > 0) timer = setTimeout(look, restsInMs);
      else work();
    };
    let timer = setTimeout(look, REST_MS);
    return () => clearTimeout(timer);
  }
}
