import { isDeepStrictEqual } from "node:util";
import type { LiveCheckState } from "../../core/protocol/live-report.ts";
import { sentenceOf } from "../../core/text/sentence-of.ts";
import type { LiveChecker, LiveSetup } from "../hosts/live-setup.ts";
import { Refresher } from "../../core/importer/refresher.ts";
import type { StateStore } from "../state/state-store.ts";
import type { Timers } from "../timers.ts";

/** Interval at which the control surface is checked while a panel is open. */
const LOOK_MS = 2000;

export interface LiveSyncDeps {
  readonly setup: LiveSetup | undefined;
  readonly check: LiveCheck;
  readonly store: StateStore;
  readonly timers: Timers;
}

/** Keeps Live's control surface in the state while somebody watches it, and installs its script. */
export class LiveSync {
  readonly #deps: LiveSyncDeps;
  readonly #refresher: Refresher;
  #watchers = 0;
  #cancelLook = () => {};

  constructor(deps: LiveSyncDeps) {
    const { store, timers } = deps;
    this.#deps = deps;
    this.#refresher = new Refresher({
      read: () => this.#read(),
      onTrouble: (error) => store.change({ diskTrouble: sentenceOf(error) }),
      timers,
    });
  }

  /** The check behind “Check this Live” (rule H21). */
  get check(): LiveCheck {
    return this.#deps.check;
  }

  /**
   * Checks the control surface periodically until the returned function is called; several watchers share the checks.
   */
  watch(): () => void {
    if (this.#deps.setup === undefined) return () => {};
    this.#watchers += 1;
    if (this.#watchers === 1) this.#look();
    let isWatching = true;
    return () => {
      if (!isWatching) return;
      isWatching = false;
      this.#watchers -= 1;
      if (this.#watchers === 0) this.#cancelLook();
    };
  }

  /** Installs the script and checks again; false where the importer can't. @throws {Error} with a sentence */
  async install(): Promise<boolean> {
    const { setup } = this.#deps;
    if (setup?.install === undefined) return false;
    await setup.install();
    await this.#read();
    return true;
  }

  async close(): Promise<void> {
    this.#cancelLook();
    await Promise.all([this.#deps.check.close(), this.#refresher.stop()]);
  }

  #look(): void {
    this.#refresher.refresh();
    this.#cancelLook = this.#deps.timers.after(LOOK_MS, () => this.#look());
  }

  async #read(): Promise<void> {
    const { setup, store } = this.#deps;
    const live = (await setup?.look()) ?? null;
    if (!isDeepStrictEqual(live, store.state.live)) store.change({ live });
  }
}

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
  /** Runs work while no import is active. */
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
