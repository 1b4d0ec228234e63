import type { Timers } from "../timers.ts";

/** Delay before a failed read is retried. */
const RETRY_MS = 5000;

/** The error of a read that is retried later than others. */
export class RetryLaterError extends Error {
  override readonly name = "RetryLaterError";
  readonly afterMs: number;

  constructor(sentence: string, afterMs: number) {
    super(sentence);
    this.afterMs = Math.max(RETRY_MS, afterMs);
  }
}

export interface RefresherDeps {
  /** Reads the source and stores the result. May reject with a `RetryLaterError`. */
  readonly read: () => Promise<void>;
  /** Called when a read fails; the retry follows automatically. */
  readonly onTrouble: (error: unknown) => void;
  readonly timers: Timers;
}

/**
 * Reads on request, one read at a time. Requests during a read lead to one more read, because the
 * current one may have missed the change.
 */
export class Refresher {
  readonly #deps: RefresherDeps;
  #current: Promise<void> | undefined;
  #isRequestedAgain = false;
  #isStopped = false;
  #cancelRetry = () => {};

  constructor(deps: RefresherDeps) {
    this.#deps = deps;
  }

  refresh(): void {
    this.#cancelRetry();
    if (this.#isStopped) return;
    if (this.#current !== undefined) {
      this.#isRequestedAgain = true;
      return;
    }
    this.#current = this.#readOnce().finally(() => {
      this.#current = undefined;
      if (!this.#isRequestedAgain) return;
      this.#isRequestedAgain = false;
      this.refresh();
    });
  }

  /** Stops reading; resolves when the current read is over. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#cancelRetry();
    await this.#current;
  }

  async #readOnce(): Promise<void> {
    try {
      await this.#deps.read();
    } catch (error) {
      if (this.#isStopped) return;
      this.#deps.onTrouble(error);
      const retryMs = error instanceof RetryLaterError ? error.afterMs : RETRY_MS;
      this.#cancelRetry = this.#deps.timers.after(retryMs, () => this.refresh());
    }
  }
}
