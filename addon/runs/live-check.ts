import type { LiveCheckState } from "../../core/protocol/live-report.ts";
import { sentenceOf } from "../../core/text/sentence-of.ts";
import type { LiveChecker } from "../hosts/live-setup.ts";

const IDLE: LiveCheckState = {
  status: "idle",
  done: 0,
  total: 0,
  ask: null,
  error: null,
  report: null,
};

/** The check of Live that a person starts in the panel (rule H21): one at a time. */
export class LiveCheck {
  readonly #checker: LiveChecker | undefined;
  /** Keeps imports away while it runs. */
  readonly #runExclusive: (work: () => Promise<void>) => Promise<unknown>;
  readonly #listeners = new Set<() => void>();
  #state = IDLE;
  #running: Promise<unknown> = Promise.resolve();
  #abort = new AbortController();
  #answer: (answer: number | true | null) => void = () => undefined;

  constructor(
    checker: LiveChecker | undefined,
    runExclusive: (work: () => Promise<void>) => Promise<unknown>,
  ) {
    this.#checker = checker;
    this.#runExclusive = runExclusive;
  }

  get state(): LiveCheckState {
    return this.#state;
  }

  /** Calls the listener after each change; the returned function unsubscribes. */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Starts a check; false while one runs, and where this importer can't. */
  begin(): boolean {
    const checker = this.#checker;
    if (checker === undefined || this.#state.status === "running") return false;
    this.#abort = new AbortController();
    this.#state = { ...IDLE, status: "running" };
    this.#change({});
    const failed = (error: unknown) =>
      this.#change({ status: "failed", ask: null, error: sentenceOf(error) });
    this.#running = this.#runExclusive(() => this.#run(checker)).catch(failed);
    return true;
  }

  /** Answers the question with this id; null skips it. False where it isn't asked. */
  answer(id: string, answer: number | true | null): boolean {
    if (this.#state.ask?.id !== id) return false;
    this.#change({ ask: null });
    this.#answer(answer);
    return true;
  }

  /** Ends a running check; everything it made is removed. */
  cancel(): void {
    this.#abort.abort(new Error("The check was cancelled. Everything it made was removed."));
    this.#answer(null);
  }

  async close(): Promise<void> {
    this.cancel();
    await this.#running;
  }

  async #run(checker: LiveChecker): Promise<void> {
    const { signal } = this.#abort;
    const report = await checker({
      signal,
      onProgress: (done, total) => this.#change({ done, total }),
      ask: (ask) => {
        const { promise, resolve } = Promise.withResolvers<number | true | null>();
        this.#answer = resolve;
        this.#change({ ask });
        return promise;
      },
    });
    this.#change({ status: "done", report });
  }

  #change(changes: Partial<LiveCheckState>): void {
    this.#state = { ...this.#state, ...changes };
    for (const listener of this.#listeners) listener();
  }
}
