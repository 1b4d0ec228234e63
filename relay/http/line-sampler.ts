import type { Logger } from "pino";
import type { Timers } from "../../core/timers.ts";

/** Lines of one kind and cause that are written in a minute. */
const LINES = 20;
/** Causes with lines of their own in a minute. All further ones share those of one cause. */
const MAX_CAUSES = 1000;
const ALL_OTHERS = "all others";
const MINUTE_MS = 60_000;

/** The kinds of lines. Each has lines of its own, so that a flood of one kind hides no other. */
type LineKind = "done" | "refused" | "trouble" | "error";

/**
 * Bounds the lines that strangers can cause (rule E8). A minute begins with its first line and ends with a line that
 * says how many were left out, if any were.
 */
export class LineSampler implements Disposable {
  readonly #log: Logger;
  readonly #timers: Timers;
  /** Number of lines written, by kind and cause. */
  readonly #written = new Map<LineKind, Map<string, number>>();
  /** Number of lines left out, by what they would have said. */
  readonly #leftOut = new Map<string, number>();
  #level: "info" | "error" = "info";
  #cancelEnd: (() => void) | undefined;

  constructor(log: Logger, timers: Timers) {
    this.#log = log;
    this.#timers = timers;
  }

  /**
   * Checks whether a line may be written, and counts it.
   * @param cause such as a network
   * @param what one of few texts, for the count of lines left out
   */
  admits(kind: LineKind, cause: string, what: string): boolean {
    this.#cancelEnd ??= this.#timers.after(MINUTE_MS, () => this.#end());
    const ofKind = this.#written.get(kind) ?? new Map<string, number>();
    this.#written.set(kind, ofKind);
    const name = ofKind.has(cause) || ofKind.size < MAX_CAUSES ? cause : ALL_OTHERS;
    const count = (ofKind.get(name) ?? 0) + 1;
    if (count > LINES) {
      this.#leftOut.set(what, (this.#leftOut.get(what) ?? 0) + 1);
      if (kind === "trouble" || kind === "error") this.#level = "error";
      return false;
    }
    ofKind.set(name, count);
    return true;
  }

  /** Ends the minute that runs. */
  [Symbol.dispose](): void {
    this.#cancelEnd?.();
    this.#end();
  }

  #end(): void {
    this.#cancelEnd = undefined;
    this.#written.clear();
    if (this.#leftOut.size === 0) return;
    const leftOut = Object.fromEntries(this.#leftOut);
    this.#log[this.#level]({ left_out: leftOut }, "lines left out in a minute");
    this.#leftOut.clear();
    this.#level = "info";
  }
}
