import pLimit from "p-limit";

/** Executes import runs one at a time, first in, first out. */
export class RunQueue {
  readonly #runExclusive = pLimit(1);
  readonly #closing = new AbortController();

  /**
   * Executes a run after the ones before it.
   * @param work its signal aborts when `signal` does, or when the queue closes
   * @param signal rejects a queued run at once, with the signal's reason
   */
  run<Outcome>(
    work: (signal: AbortSignal) => Promise<Outcome>,
    signal?: AbortSignal,
  ): Promise<Outcome> {
    return new Promise((resolve, reject) => {
      const leave = () => reject(signal?.reason);
      signal?.addEventListener("abort", leave, { once: true });
      const turn = this.#runExclusive(async () => {
        signal?.throwIfAborted();
        signal?.removeEventListener("abort", leave);
        return this.#work(work, signal);
      });
      turn.then(resolve, reject);
    });
  }

  /** Cancels every run; resolves when the last one has stopped. */
  async close(): Promise<void> {
    this.#closing.abort(new Error("Soundferry is closing."));
    await this.#runExclusive(async () => {});
  }

  async #work<Outcome>(
    work: (signal: AbortSignal) => Promise<Outcome>,
    signal: AbortSignal | undefined,
  ): Promise<Outcome> {
    const failed = new AbortController();
    const sources = [this.#closing.signal, failed.signal, signal];
    const any = AbortSignal.any(sources.filter((source) => source !== undefined));
    any.throwIfAborted();
    try {
      return await work(any);
    } catch (error) {
      // Stop what the failed run started.
      failed.abort(error);
      throw error;
    }
  }
}
