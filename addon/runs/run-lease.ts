import type { Timers } from "../concurrency/timers.ts";
import { BEAT_MS, type Lease, LeaseHeartbeat } from "../relay/lease-heartbeat.ts";
import { isOwnRefusal } from "../relay/relay-errors.ts";
import type { RelayPort } from "../relay/relay-port.ts";
import { FetchWatch, type FetchWatchDeps } from "./fetch-watch.ts";

/** Node fires a longer timer at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

export interface RunLeaseOptions extends Lease {
  /** How long the lease lasts without renewal, in seconds. */
  readonly seconds: number;
}

/**
 * A run's hold on its package: renewed every minute while the host works, and while downloads bring something new
 * (rules S2, R1). The relay has no call that gives a lease back, so a run that stops lets it end.
 */
export class RunLease {
  readonly #leaseMs: number;
  readonly #timers: Timers;
  readonly #heartbeat: LeaseHeartbeat;
  readonly #renew: (signal: AbortSignal) => Promise<unknown>;
  readonly #lost = new AbortController();
  #renewedAtMs: number;
  #watch: FetchWatch | undefined;

  constructor({ seconds, ...lease }: RunLeaseOptions, relay: RelayPort, timers: Timers) {
    const { packageId, runId } = lease;
    this.#leaseMs = Math.min(seconds * 1000, MAX_TIMER_MS);
    this.#timers = timers;
    this.#renewedAtMs = timers.now();
    this.#renew = (signal) => relay.take(packageId, { run_id: runId }, signal);
    this.#heartbeat = new LeaseHeartbeat(lease, {
      relay,
      timers,
      mayRenew: () => this.#watch?.takeProgress() ?? true,
      onRenewed: () => {
        this.#renewedAtMs = timers.now();
        this.#watch?.extend();
      },
      onLost: (error) => this.#lost.abort(error),
    });
  }

  /** Aborts with the relay's refusal when another run has the lease. */
  get signal(): AbortSignal {
    return this.#lost.signal;
  }

  /**
   * Renews the lease once more where the last renewal is older than a heartbeat.
   * @throws {RelayError} when another run has the lease, or the package is gone
   * @throws {Error} when the relay can't be asked and the lease may have ended
   */
  async confirm(signal: AbortSignal): Promise<void> {
    const ageMs = this.#timers.now() - this.#renewedAtMs;
    if (ageMs <= BEAT_MS) return;
    try {
      await this.#renew(signal);
      this.#renewedAtMs = this.#timers.now();
    } catch (error) {
      signal.throwIfAborted();
      if (isOwnRefusal(error) || ageMs >= this.#leaseMs) throw error;
    }
  }

  /** Watches the downloads of `work`. @throws {unknown} what `work` throws */
  async whileFetching<Outcome>(
    { onTrouble, onRecovered }: Pick<FetchWatchDeps, "onTrouble" | "onRecovered">,
    work: (watch: FetchWatch) => Promise<Outcome>,
  ): Promise<Outcome> {
    const watch = new FetchWatch({
      timers: this.#timers,
      leaseMs: this.#leaseMs,
      onTrouble,
      onRecovered: () => {
        this.#heartbeat.beat();
        onRecovered();
      },
    });
    this.#watch = watch;
    try {
      return await work(watch);
    } finally {
      watch.end();
      this.#watch = undefined;
    }
  }

  /** Stops renewing. */
  end(): void {
    this.#heartbeat.end();
  }
}
