import { RETRY_STOPPING_SECONDS, STOP_HOLD_SECONDS } from "../../core/limits.ts";
import type { Eventual } from "../../core/eventual.ts";
import type { Timers } from "../../core/timers.ts";
import { Refusal, type RefusalExtras, refusal } from "../../core/protocol/refusal.ts";

/** Time between two looks whether a draining relay is done. */
const LOOK_MS = 25;

/**
 * The meaning of a call to a relay that is being replaced (rule K11):
 * - `begins`: it begins a package. It is refused from then on; a package that was announced just before is awaited.
 * - `new`: it is refused from then on.
 * - `carries`: it carries a package's sounds, or takes it for an import. While one runs and for a while after it, the
 *   relay waits for the next.
 * - `ends`: no more calls that carry this package's sounds are expected.
 */
export type Work = "begins" | "new" | "carries" | "ends";

interface DrainOptions {
  /** Shortest time for which the relay still serves. */
  readonly delayMs: number;
  /** Longest time for which the relay still serves; `delayMs` if that is longer. */
  readonly graceMs: number;
  /** Ends the wait at once when it aborts. */
  readonly now: AbortSignal;
}

/** The state of a relay that may be being replaced: its running and awaited work (rule K11). */
export class Draining {
  /** Time for which polls are held, and the next call of a package is awaited; within it sockets are closed. */
  readonly holdMs: number;
  readonly timers: Timers;
  readonly #holdsEnd = new AbortController();
  readonly #stopped = new AbortController();
  readonly #stillBusy: (() => boolean)[] = [];
  readonly #running = new Map<string, number>();
  /** The time at which a call last carried something of each package, the longest ago first. */
  readonly #carriedAt = new Map<string, number>();
  #isDraining = false;

  constructor(timers: Timers, holdMs = STOP_HOLD_SECONDS * 1000) {
    this.timers = timers;
    this.holdMs = holdMs;
  }

  /** True once `drain` was called. From then on new work is refused. */
  get isDraining(): boolean {
    return this.#isDraining;
  }

  /** Aborts when the relay stops serving. */
  get stopped(): AbortSignal {
    return this.#stopped.signal;
  }

  /** Aborts when a waiting call must be answered. Read it once for each call. */
  get holdEnds(): AbortSignal {
    if (!this.#isDraining) return this.#holdsEnd.signal;
    const own = new AbortController();
    this.timers.after(this.holdMs, () => own.abort());
    return AbortSignal.any([this.#stopped.signal, own.signal]);
  }

  /** Adds a condition: draining also waits while `isBusy` returns true. */
  addBusy(isBusy: () => boolean): void {
    this.#stillBusy.push(isBusy);
  }

  /**
   * Runs a call's work.
   * @param keyOf returns the id of its package, or of the call; called after `act` where that announces the package
   * @throws {Refusal} 503 STOPPING for new work once the relay drains, and what `act` throws
   */
  async run<Result>(work: Work, keyOf: () => string, act: () => Eventual<Result>): Promise<Result> {
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
      // The sender disconnected, and may come back.
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
