import type { Pairing } from "../panel/panel-pairing.ts";
import type { PairingCodeAnswer } from "../protocol/importer-api.ts";
import type { Timers } from "../timers.ts";
import { newMutex } from "../mutex.ts";
import { RelayError } from "./relay-errors.ts";

/** Time for which a code outlives the last moment at which its step was visible (rule P2). */
const UNSEEN_LIMIT_MS = 3 * 60_000;
/** Pause before a code that couldn't be ended at the relay is tried again. */
const RETRY_MS = 5000;
/** Longest time that closing waits for the relay to end a code. */
const CLOSE_LIMIT_MS = 1000;
/** The longest wait of a timer. */
const MAX_WAIT_MS = 2 ** 31 - 1;
/** Shortest remaining time of a code that is shown to a person who opens the step. */
const MIN_SHOWN_MS = 60_000;

export interface PairingCodesDeps {
  readonly client: {
    readonly pairingCode: () => Promise<PairingCodeAnswer>;
    readonly endPairingCode: () => Promise<void>;
  };
  /** Returns the code that people see instead of the relay's. */
  readonly replaceCode: ((code: PairingCodeAnswer) => Promise<PairingCodeAnswer>) | undefined;
  /** Changes the state; does nothing for a relay that isn't current any more. */
  readonly change: (change: Partial<Pairing>) => void;
  readonly timers: Timers;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

interface ActiveCode {
  readonly answer: PairingCodeAnswer;
  readonly endsAtMs: number;
  /** True if it lives to its end even if nobody sees it. */
  readonly isKept: boolean;
  /** True while a page shows it, as the page last said. */
  isVisible: boolean;
  lastSeenMs: number;
}

interface NewCodeOptions {
  readonly isKept: boolean;
}

/**
 * The pairing codes of one relay (rule P2). There is one at a time, made because someone asked for it. A
 * *kept* code lives to its end. One of the pairing step ends before, 3 minutes after the step was last
 * visible or when it is closed; then it ends at the relay, too. None is renewed automatically.
 */
export class PairingCodes {
  readonly #deps: PairingCodesDeps;
  /** Calls that make or end codes run in the order of the requests. */
  readonly #runExclusive = newMutex();
  #active: ActiveCode | undefined;
  #newCode: { readonly isKept: boolean; readonly answer: Promise<PairingCodeAnswer> } | undefined;
  #isClosed = false;
  #cancelTimer: () => void = () => undefined;
  #cancelRetry: () => void = () => undefined;

  constructor(deps: PairingCodesDeps) {
    this.#deps = deps;
  }

  /** Makes a code that is kept, and replaces the previous one. Concurrent callers share one. */
  create(): Promise<PairingCodeAnswer> {
    return this.#create({ isKept: true });
  }

  /**
   * Opens the pairing step: returns the current code, or makes one if there is none or it ends soon.
   * @param options.isFresh always makes one
   */
  async open(options: { readonly isFresh: boolean }): Promise<PairingCodeAnswer> {
    this.#endIfOver();
    const active = this.#active;
    const leftMs = active === undefined ? 0 : active.endsAtMs - this.#deps.now();
    if (active === undefined || options.isFresh || leftMs < MIN_SHOWN_MS) {
      return this.#create({ isKept: false });
    }
    this.see(true);
    return active.answer;
  }

  /**
   * Records whether the page of the step is visible. A page that stops reporting it counts as not visible.
   * @param isVisible false: it was until now
   */
  see(isVisible: boolean): void {
    this.#endIfOver();
    const active = this.#active;
    if (active === undefined) return;
    if (isVisible || active.isVisible) active.lastSeenMs = this.#deps.now();
    active.isVisible = isVisible;
    this.#watch();
  }

  /** Closes the step and ends its code, also at the relay. A kept code lives on. */
  async hide(): Promise<void> {
    await this.#newCode?.answer.catch(() => undefined);
    if (this.#active?.isKept === false) await this.#end();
  }

  /**
   * Records that a code was used, so that the relay has none.
   * @param code as the state had it when the relay said so; a newer one stays
   */
  noteUsed(code: PairingCodeAnswer | null, usedBy: Pairing["usedBy"]): void {
    if (code === null ? this.#active !== undefined : this.#active?.answer !== code) return;
    this.#forget(usedBy);
  }

  /** Records that the code has ended at the relay, and why. */
  noteEnded(ended: NonNullable<Pairing["ended"]>): void {
    if (this.#active !== undefined) this.#forget();
    this.#deps.change({ ended });
  }

  /** Ends a code that isn't kept, unless the relay takes too long. */
  async close(): Promise<void> {
    this.#isClosed = true;
    if (this.#active?.isKept === false) await this.#endSoon();
    this.#cancelTimer();
    this.#cancelRetry();
  }

  async #endSoon(): Promise<void> {
    let cancel: (() => void) | undefined;
    const late = new Promise<void>((resolve) => {
      cancel = this.#deps.timers.after(CLOSE_LIMIT_MS, resolve);
    });
    await Promise.race([this.#end(), late]);
    cancel?.();
  }

  #create({ isKept }: NewCodeOptions): Promise<PairingCodeAnswer> {
    const pending = this.#newCode;
    // A kept code also serves the step, but not the other way around.
    if (pending !== undefined && (pending.isKept || !isKept)) return pending.answer;
    const answer = this.#runExclusive(() => this.#make({ isKept }));
    const making = { isKept, answer };
    this.#newCode = making;
    const settle = (): void => {
      if (this.#newCode === making) this.#newCode = undefined;
    };
    answer.then(settle, settle);
    return answer;
  }

  async #make({ isKept }: NewCodeOptions): Promise<PairingCodeAnswer> {
    const { client, replaceCode, change, now } = this.#deps;
    this.#cancelRetry();
    const created = await client.pairingCode();
    const answer = (await replaceCode?.(created)) ?? created;
    if (this.#isClosed) return answer;
    const madeAtMs = now();
    const endsAtMs = madeAtMs + answer.expires_in * 1000;
    this.#active = { answer, endsAtMs, isKept, isVisible: true, lastSeenMs: madeAtMs };
    change({ code: answer, readAtMs: madeAtMs, usedBy: null, request: null, ended: null });
    this.#watch();
    return answer;
  }

  /** Checks the code again when it ends, at the latest. */
  #watch(): void {
    this.#cancelTimer();
    if (this.#active === undefined) return;
    const leftMs = Math.max(0, overAtMs(this.#active) - this.#deps.now());
    const waitMs = Math.min(leftMs, MAX_WAIT_MS);
    this.#cancelTimer = this.#deps.timers.after(waitMs, () => {
      this.#endIfOver();
      this.#watch();
    });
  }

  #endIfOver(): void {
    const active = this.#active;
    if (active === undefined) return;
    const now = this.#deps.now();
    if (now >= active.endsAtMs) this.#forget();
    else if (now >= overAtMs(active)) void this.#end();
  }

  async #end(): Promise<void> {
    const active = this.#active;
    if (active === undefined) return;
    this.#forget();
    await this.#runExclusive(() => this.#endAtRelay(active.endsAtMs));
  }

  #forget(usedBy: Pairing["usedBy"] = null): void {
    this.#cancelTimer();
    this.#active = undefined;
    this.#deps.change({ code: null, usedBy, request: null });
  }

  /** Ends a code at the relay; retries until the relay answers, or the code's time is over. */
  async #endAtRelay(endsAtMs: number): Promise<void> {
    const { client, timers, now } = this.#deps;
    // A newer code has replaced it.
    if (this.#active !== undefined || now() >= endsAtMs) return;
    try {
      await client.endPairingCode();
    } catch (error) {
      if (!isRetryable(error) || this.#isClosed) return;
      this.#cancelRetry = timers.after(RETRY_MS, () => {
        void this.#runExclusive(() => this.#endAtRelay(endsAtMs));
      });
    }
  }
}

/** Returns whether to try again; an older relay refuses because it doesn't know the call. */
function isRetryable(error: unknown): boolean {
  return !(error instanceof RelayError) || error.status === 429 || error.status >= 500;
}

/** Returns when a code ends if the step isn't seen again. */
function overAtMs({ isKept, endsAtMs, lastSeenMs }: ActiveCode): number {
  return isKept ? endsAtMs : Math.min(endsAtMs, lastSeenMs + UNSEEN_LIMIT_MS);
}
