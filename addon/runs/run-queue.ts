import pLimit from "p-limit";

/** Import runs, one at a time in the order they were asked for. */
export class RunQueue {
  readonly #runExclusive = pLimit(1);
  readonly #closing = new AbortController();

  /**
   * Does one run when the ones before it are over.
   * @param work is given a signal that aborts when `signal` does, or when the queue closes
   * @param signal takes a run that still waits out of the line: it rejects with the signal's reason
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

  /** Cancels every run; resolves when the last one has let go. */
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
      // Nothing that the run started goes on without it.
      failed.abort(error);
      throw error;
    }
  }
}
