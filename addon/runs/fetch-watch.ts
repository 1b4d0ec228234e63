import type { Timers } from "../concurrency/timers.ts";
import { PROGRESS_BYTES, type Transport } from "./attempts.ts";
import type { FetchFailure } from "./fetch-failure.ts";
import { ConnectionLostError } from "./import-errors.ts";

export interface FetchWatchDeps {
  readonly timers: Timers;
  /** How long the relay's lease lasts without renewal. */
  readonly leaseMs: number;
  /** Called after each failed attempt, with the seconds until the run gives up. */
  readonly onTrouble: (secondsLeft: number) => void;
  /** Called when new bytes come again. */
  readonly onRecovered: () => void;
}

/** Watches a run's downloads, and gives up once its lease has ended without a new byte (rule R1). */
export class FetchWatch implements Transport {
  readonly #deps: FetchWatchDeps;
  readonly #lost = new AbortController();
  #endsAt = 0;
  #cancelEnd = () => {};
  #newBytes = 0;
  #hasProgress = true;
  #trouble: FetchFailure | undefined;
  #isInTrouble = false;

  constructor(deps: FetchWatchDeps) {
    this.#deps = deps;
    this.extend();
  }

  /** Aborts with a `ConnectionLostError`. */
  get signal(): AbortSignal {
    return this.#lost.signal;
  }

  noteBytes(newBytes: number): void {
    this.#newBytes += newBytes;
    if (this.#newBytes >= PROGRESS_BYTES) this.noteSettled();
  }

  noteSettled(): void {
    this.#newBytes = 0;
    this.#hasProgress = true;
    this.extend();
    if (!this.#isInTrouble) return;
    this.#isInTrouble = false;
    this.#deps.onRecovered();
  }

  noteTrouble(failure: FetchFailure): void {
    this.#trouble = failure;
    this.#isInTrouble = true;
    const ms = Math.max(0, this.#endsAt - this.#deps.timers.now());
    this.#deps.onTrouble(Math.ceil(ms / 1000));
  }

  /** The lease was renewed. */
  extend(): void {
    const { timers, leaseMs } = this.#deps;
    this.#endsAt = timers.now() + leaseMs;
    this.#cancelEnd();
    this.#cancelEnd = timers.after(leaseMs, () => {
      this.#lost.abort(new ConnectionLostError(this.#trouble));
    });
  }

  /** Returns whether there was progress since the last call. */
  takeProgress(): boolean {
    const hadProgress = this.#hasProgress && !this.#isInTrouble;
    this.#hasProgress = false;
    return hadProgress;
  }

  end(): void {
    this.#cancelEnd();
  }
}
