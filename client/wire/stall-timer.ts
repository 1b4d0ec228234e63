/** An upload without progress for this long is aborted. */
export const STALL_MS = 120_000;

/** The same for one that resumes: an attempt costs little, and a connection may be half open. */
export const APPEND_STALL_MS = 30_000;

const HURRY_MS = 3000;

/** The abort reason of an upload that stalled. */
export function stallReason(): DOMException {
  return new DOMException("Nothing moves.", "TimeoutError");
}

/** Acts once `moved` has not been called for this long; never after `end`. */
export class StallTimer {
  readonly #stallMs: number;
  readonly #act: () => void;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(stallMs: number, act: () => void) {
    this.#stallMs = stallMs;
    this.#act = act;
    this.moved();
  }

  moved(): void {
    this.#begin(this.#stallMs);
  }

  /** Acts soon if nothing moves from now on: the network has changed. */
  hurry(): void {
    this.#begin(HURRY_MS);
  }

  end(): void {
    clearTimeout(this.#timer);
  }

  #begin(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(this.#act, ms);
  }
}
