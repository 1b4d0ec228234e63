import { RETRY_STOPPING_SECONDS, STOP_HOLD_SECONDS } from "../../core/limits.ts";
import type { Timers } from "../../core/timers.ts";
import { Refusal, type RefusalExtras, refusal } from "../../core/protocol/refusal.ts";

/** How often a draining relay looks whether it is done. */
const LOOK_MS = 25;

/**
 * What a call means to a relay that is being replaced (rule K11):
 * - `begins`: it begins a package. Refused from then on; one that was announced just before is awaited.
 * - `new`: refused from then on.
 * - `carries`: it carries a package's sounds, or takes it for an import. While one runs and for a while after it, the
 *   relay waits for the next.
 * - `ends`: no more calls that carry this package's sounds are expected.
 */
export type Work = "begins" | "new" | "carries" | "ends";

export interface DrainOptions {
  /** It serves for at least this long. */
  readonly delayMs: number;
  /** It serves for at most this long, or `delayMs` if that is longer. */
  readonly graceMs: number;
  /** Ends the wait at once when it aborts. */
  readonly now: AbortSignal;
}

/** Knows whether a relay is being replaced, and for what it still serves (rule K11). */
export class Draining {
  /** How long polls are held, and the next call of a package is awaited; within it sockets are closed. */
  readonly holdMs: number;
  readonly timers: Timers;
  readonly #holdsEnd = new AbortController();
  readonly #stopped = new AbortController();
  readonly #stillBusy: (() => boolean)[] = [];
  readonly #running = new Map<string, number>();
  /** When a call last carried something of each package, the longest ago first. */
  readonly #carriedAt = new Map<string, number>();
  #isDraining = false;

  constructor(timers: Timers, holdMs = STOP_HOLD_SECONDS * 1000) {
    this.timers = timers;
    this.holdMs = holdMs;
  }

  /** Whether `drain` was called. From then on new work is refused. */
  get isDraining(): boolean {
    return this.#isDraining;
  }

  /** Aborts when the relay stops serving. */
  get stopped(): AbortSignal {
    return this.#stopped.signal;
  }

  /** Aborts when a call that waits for something must be answered. Ask for it once for each call. */
  get holdEnds(): AbortSignal {
    if (!this.#isDraining) return this.#holdsEnd.signal;
    const own = new AbortController();
    this.timers.after(this.holdMs, () => own.abort());
    return AbortSignal.any([this.#stopped.signal, own.signal]);
  }

  /** Draining also waits while `isBusy` gives true. */
  addBusy(isBusy: () => boolean): void {
    this.#stillBusy.push(isBusy);
  }

  /**
   * Runs a call's work.
   * @param keyOf its package's id, or the call's; of a package that `act` announced, only once that is done
   * @throws {Refusal} 503 STOPPING for new work once the relay drains, and what `act` throws
   */
  async run<Result>(
    work: Work | undefined,
    keyOf: () => string,
    act: () => Promise<Result>,
  ): Promise<Result> {
    if (work === undefined) return act();
    if (this.#isDraining && (work === "new" || work === "begins")) throw stoppingRefusal();
    if (work !== "carries") {
      const result = await act();
      if (work === "begins") this.#noteCarried(keyOf());
      else this.#carriedAt.delete(keyOf());
      return result;
    }
    const key = keyOf();
    this.#countRunning(key, 1);
    try {
      const result = await act();
      this.#noteCarried(key);
      return result;
    } catch (error) {
      // Its sender went away, and may come back.
      if (!(error instanceof Refusal)) this.#noteCarried(key);
      throw error;
    } finally {
      this.#countRunning(key, -1);
    }
  }

  /** Refuses new work from now on, and resolves once nothing is left to serve. Later calls share the state. */
  async drain({ delayMs, graceMs, now }: DrainOptions): Promise<void> {
    const { timers } = this;
    const startedAt = timers.now();
    const cancelEnd = timers.after(this.holdMs, () => this.#holdsEnd.abort());
    this.#isDraining = true;
    const isDue = (): boolean => {
      const servedMs = timers.now() - startedAt;
      if (now.aborted || this.stopped.aborted) return true;
      if (servedMs >= Math.max(delayMs, graceMs)) return true;
      return servedMs >= delayMs && !this.#isBusy();
    };
    while (!isDue()) await new Promise<void>((resolve) => void timers.after(LOOK_MS, resolve));
    cancelEnd();
    this.stop();
  }

  /** Answers every call that waits. */
  stop(): void {
    this.#holdsEnd.abort();
    this.#stopped.abort();
  }

  #isBusy(): boolean {
    this.#forgetQuiet();
    if (this.#running.size > 0 || this.#carriedAt.size > 0) return true;
    return this.#stillBusy.some((isBusy) => isBusy());
  }

  #countRunning(key: string, more: number): void {
    const count = (this.#running.get(key) ?? 0) + more;
    if (count > 0) this.#running.set(key, count);
    else this.#running.delete(key);
  }

  #noteCarried(key: string): void {
    this.#carriedAt.delete(key);
    this.#carriedAt.set(key, this.timers.now());
    this.#forgetQuiet();
  }

  #forgetQuiet(): void {
    const quietSince = this.timers.now() - this.holdMs;
    for (const [key, at] of this.#carriedAt) {
      if (at > quietSince) return;
      this.#carriedAt.delete(key);
    }
  }
}

/** The refusal of new work. */
export function stoppingRefusal(body: RefusalExtras["body"] = {}): Refusal {
  const seconds = RETRY_STOPPING_SECONDS;
  return refusal("STOPPING", { seconds }, { retryAfterSeconds: seconds, body });
}
