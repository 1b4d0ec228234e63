import type { Timers } from "./timers.ts";

/** Pause before a reading that failed is tried again. */
const RETRY_MS = 5000;

export interface RefresherDeps {
  /** Reads something anew and keeps it. */
  readonly read: () => Promise<void>;
  /** Told why a reading failed; the next one follows by itself. */
  readonly onTrouble: (error: unknown) => void;
  readonly timers: Timers;
}

/**
 * Reads anew when asked to, never twice at the same time: what is asked for while a reading is under
 * way is answered by one more after it, because the one under way may have missed the change.
 */
export class Refresher {
  readonly #deps: RefresherDeps;
  #underWay: Promise<void> | undefined;
  #isAskedAgain = false;
  #isStopped = false;
  #callOffRetry = () => {};

  constructor(deps: RefresherDeps) {
    this.#deps = deps;
  }

  ask(): void {
    this.#callOffRetry();
    if (this.#isStopped) return;
    if (this.#underWay !== undefined) {
      this.#isAskedAgain = true;
      return;
    }
    this.#underWay = this.#readOnce().finally(() => {
      this.#underWay = undefined;
      if (this.#isAskedAgain) {
        this.#isAskedAgain = false;
        this.ask();
      }
    });
  }

  /** Reads no more; resolves when the reading under way is over. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#callOffRetry();
    await this.#underWay;
  }

  async #readOnce(): Promise<void> {
    try {
      await this.#deps.read();
    } catch (error) {
      if (this.#isStopped) return;
      this.#deps.onTrouble(error);
      this.#callOffRetry = this.#deps.timers.after(RETRY_MS, () => this.ask());
    }
  }
}
