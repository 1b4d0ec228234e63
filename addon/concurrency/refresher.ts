import type { Timers } from "./timers.ts";

/** Pause before a reading that failed is tried again. */
const RETRY_MS = 5000;

export interface RefresherDeps {
  /** Reads something again and keeps it. */
  readonly read: () => Promise<void>;
  /** Gets the reason of a reading that failed; the next one follows automatically. */
  readonly onTrouble: (error: unknown) => void;
  readonly timers: Timers;
}

/**
 * Reads again when asked to, never twice at the same time: a request during a reading starts one more
 * after it, because the current one may have missed the change.
 */
export class Refresher {
  readonly #deps: RefresherDeps;
  #underWay: Promise<void> | undefined;
  #isAskedAgain = false;
  #isStopped = false;
  #cancelRetry = () => {};

  constructor(deps: RefresherDeps) {
    this.#deps = deps;
  }

  ask(): void {
    this.#cancelRetry();
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
    this.#cancelRetry();
    await this.#underWay;
  }

  async #readOnce(): Promise<void> {
    try {
      await this.#deps.read();
    } catch (error) {
      if (this.#isStopped) return;
      this.#deps.onTrouble(error);
      this.#cancelRetry = this.#deps.timers.after(RETRY_MS, () => this.ask());
    }
  }
}
