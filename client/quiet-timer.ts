/** How long an upload may stand still. */
export const QUIET_MS = 120_000;

/** The reason of an upload at which nothing moved any more. */
export function quietReason(): DOMException {
  return new DOMException("Nothing moves.", "TimeoutError");
}

/** Acts once `moved` was not called for so long; never after `end`. */
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
