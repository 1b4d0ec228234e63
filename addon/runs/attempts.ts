import { setTimeout } from "node:timers/promises";
import { pauseMs, PROGRESS_BYTES } from "../../core/download-pause.ts";
import { sentenceOf } from "../../core/text/sentence-of.ts";
import { isOwnRefusal } from "../relay/relay-errors.ts";
import { retryAfterOfError, statusOfError } from "../relay/relay-port.ts";
import { ConnectionLostError } from "./import-errors.ts";
import { REAL_TIMERS, type Timers } from "../timers.ts";

/** Attempts at a local file that can't be read; it won't be readable soon after that. */
const MAX_LOCAL_ATTEMPTS = 4;

export interface RetryPolicy {
  /** The timeout of one read: a source that is silent for this long is requested again. */
  readonly silenceLimitMs: number;
  /** Timers that measure the silence. */
  readonly timers: Timers;
  /** Waits between two attempts; rejects when the signal aborts. */
  readonly pause: (ms: number, signal: AbortSignal) => Promise<void>;
}

/** The default: a timeout of 30 s, and real delays. */
export const DEFAULT_RETRY_POLICY: RetryPolicy = {
  silenceLimitMs: 30_000,
  timers: REAL_TIMERS,
  pause: (ms, signal) => setTimeout(ms, undefined, { signal }),
};

/**
 * The part of a run that its downloads share. Trouble on the way to the relay concerns the whole run, and only new
 * bytes end it (rule R1).
 */
export interface Transport {
  /** @param newBytes received beyond the furthest point of their sound */
  noteBytes(newBytes: number): void;
  /** Records that a sound is settled. */
  noteSettled(): void;
  noteTrouble(failure: FetchFailure): void;
}

export interface AttemptsOptions {
  readonly retryPolicy: RetryPolicy;
  readonly signal: AbortSignal;
  /** The run's transport; absent for a local package. */
  readonly transport?: Transport | undefined;
}

/** The attempts at one thing, with exponential backoff between them. */
export class Attempts {
  readonly #options: AttemptsOptions;
  #withoutProgress = 0;

  constructor(options: AttemptsOptions) {
    this.#options = options;
  }

  /**
   * Waits after a failed attempt. At a relay, another attempt always follows, until the signal aborts.
   * @throws {unknown} the error itself, where another attempt is not worth it; the signal's reason
   */
  async pauseAfter(error: unknown, newBytes = 0): Promise<void> {
    if (!(error instanceof FetchFailure) || error.refusedWith !== undefined) throw error;
    const { retryPolicy, signal, transport } = this.#options;
    this.#withoutProgress = newBytes >= PROGRESS_BYTES ? 0 : this.#withoutProgress + 1;
    if (transport === undefined && this.#withoutProgress === MAX_LOCAL_ATTEMPTS) throw error;
    transport?.noteTrouble(error);
    await retryPolicy.pause(pauseMs(this.#withoutProgress, error.retryAfterSeconds), signal);
    signal.throwIfAborted();
  }
}

/** The error when a source didn't deliver a whole sound; `cause` says why. */
export class FetchFailure extends Error {
  override readonly name = "FetchFailure";
  /** The HTTP status of the answer; undefined for a connection error. */
  readonly status: number | undefined;
  /** Seconds of the answer's Retry-After; 0 where it had none. */
  readonly retryAfterSeconds: number;
  /** The code with which the relay itself refused the sound for good; undefined for any other trouble. */
  readonly refusedWith: string | undefined;

  constructor(sentence: string, options: ErrorOptions = {}) {
    super(sentence, options);
    const { cause } = options;
    this.status = statusOfError(cause);
    this.retryAfterSeconds = retryAfterOfError(cause) ?? 0;
    this.refusedWith = isOwnRefusal(cause) ? cause.code : undefined;
  }

  static of(cause: unknown): FetchFailure {
    return new FetchFailure(sentenceOf(cause), { cause });
  }
}

export interface FetchWatchDeps {
  readonly timers: Timers;
  /** Duration of the relay's lease without renewal. */
  readonly leaseMs: number;
  /** Called after each failed attempt, with the seconds until the run gives up. */
  readonly onTrouble: (secondsLeft: number) => void;
  /** Called when new bytes arrive again. */
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

  /** Restarts the time limit after the lease was renewed. */
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
