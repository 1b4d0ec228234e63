import { oneAtATime } from "./import/one-at-a-time.ts";
import { withOwnAbort } from "./import/own-abort.ts";

/** Import runs, one at a time in the order they were asked for. */
export class RunQueue {
  readonly #alone = oneAtATime();
  readonly #closing = new AbortController();

  /**
   * Does one run when the ones before it are over.
   * @param work is given a signal that aborts when `signal` does, before it begins perhaps, or when the queue closes
   */
  run<Outcome>(
    work: (signal: AbortSignal) => Promise<Outcome>,
    signal: AbortSignal | undefined,
  ): Promise<Outcome> {
    return this.#alone(() =>
      withOwnAbort(this.#closing.signal, async (own) => {
        const cancel = () => own.abort(signal?.reason);
        if (signal?.aborted) cancel();
        signal?.addEventListener("abort", cancel, { once: true });
        try {
          return await work(own.signal);
        } finally {
          signal?.removeEventListener("abort", cancel);
        }
      }),
    );
  }

  /** Cancels every run; resolves when the last one has let go. */
  async close(): Promise<void> {
    this.#closing.abort(new Error("The importer is closing."));
    await this.#alone(async () => {});
  }
}
