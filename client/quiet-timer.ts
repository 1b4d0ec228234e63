/** An upload without progress for this long is aborted. */
export const QUIET_MS = 120_000;

/** The abort reason of an upload that stalled. */
export function quietReason(): DOMException {
  return new DOMException("Nothing moves.", "TimeoutError");
}

/** Acts once `moved` has not been called for this long; never after `end`. */
export class QuietTimer {
  readonly #quietMs: number;
  readonly #act: () => void;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(quietMs: number, act: () => void) {
    this.#quietMs = quietMs;
    this.#act = act;
    this.moved();
  }

  moved(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(this.#act, this.#quietMs);
  }

  end(): void {
    clearTimeout(this.#timer);
  }
}
