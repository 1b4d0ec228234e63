import { createMutex } from "../concurrency/mutex.ts";
import { withLinkedAbort } from "../concurrency/linked-abort.ts";

/** Import runs, one at a time in the order they were asked for. */
export class RunQueue {
  readonly #runExclusive = createMutex();
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

  #work<Outcome>(
    work: (signal: AbortSignal) => Promise<Outcome>,
    signal: AbortSignal | undefined,
  ): Promise<Outcome> {
    return withLinkedAbort(this.#closing.signal, async (own) => {
      const cancel = () => own.abort(signal?.reason);
      signal?.addEventListener("abort", cancel, { once: true });
      try {
        return await work(own.signal);
      } finally {
        signal?.removeEventListener("abort", cancel);
      }
    });
  }
}
