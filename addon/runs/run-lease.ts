import type { TakeAnswer } from "../../core/protocol/importer-api.ts";
import { isOwnRefusal, isRunElsewhere, type RelayError } from "../../core/importer/relay-errors.ts";
import { statusOfError } from "../../core/importer/relay-errors.ts";
import type { RelayPort } from "../relay/relay-port.ts";
import { FetchWatch, type FetchWatchDeps } from "./attempts.ts";
import { MAX_TIMER_MS, type Timers } from "../../core/timers.ts";

interface RunLeaseOptions extends Lease {
  /** Duration of the lease without renewal. */
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

/** Interval at which an active run renews its lease, which lasts five minutes (rule S2). */
const BEAT_MS = 60_000;

interface Lease {
  readonly packageId: string;
  readonly runId: string;
}

interface LeaseHeartbeatDeps {
  readonly relay: Pick<RelayPort, "take">;
  readonly timers: Timers;
  /** Returns whether to renew; asked before each beat, because a run whose downloads bring nothing skips it. */
  readonly mayRenew: () => boolean;
  readonly onRenewed: (answer: TakeAnswer) => void;
  /** Called once, when another run has the lease. */
  readonly onLost: (error: RelayError) => void;
}

/** Renews a lease every minute until it is ended. */
export class LeaseHeartbeat {
  readonly #lease: Lease;
  readonly #deps: LeaseHeartbeatDeps;
  readonly #end = new AbortController();
  #isBeating = false;
  #cancelBeat = () => {};

  constructor(lease: Lease, deps: LeaseHeartbeatDeps) {
    this.#lease = lease;
    this.#deps = deps;
    this.#beatLater();
  }

  /** Renews the lease now, without waiting for the minute to pass. */
  beat(): void {
    if (this.#end.signal.aborted || this.#isBeating) return;
    this.#cancelBeat();
    this.#isBeating = true;
    void this.#renew().finally(() => {
      this.#isBeating = false;
      this.#beatLater();
    });
  }

  /** Stops renewing, also a beat in progress: a run that is over must not get the lease again. */
  end(): void {
    this.#end.abort();
    this.#cancelBeat();
  }

  async #renew(): Promise<void> {
    const { packageId, runId } = this.#lease;
    const { signal } = this.#end;
    try {
      const answer = await this.#deps.relay.take(packageId, { run_id: runId }, signal);
      if (!signal.aborted) this.#deps.onRenewed(answer);
    } catch (error) {
      // The lease outlives several failed beats, and the run's own calls notice when the package is gone.
      if (signal.aborted || !isRunElsewhere(error)) return;
      this.end();
      this.#deps.onLost(error);
    }
  }

  #beatLater(): void {
    if (this.#end.signal.aborted) return;
    this.#cancelBeat = this.#deps.timers.after(BEAT_MS, () => {
      if (this.#deps.mayRenew()) this.beat();
      else this.#beatLater();
    });
  }
}

export interface TakeOptions {
  readonly runId: string;
  /** True to take the lease from any other run (rule S2). */
  readonly isForced: boolean;
  /** Ids of this importer's own interrupted runs. */
  readonly stoppedRunIds: readonly string[];
  readonly signal?: AbortSignal;
}

/**
 * Takes a package's lease for a run (rule S2), also from this importer's interrupted run at another
 * host (rule R7).
 * @throws {Error} from `relay.take`
 */
export async function takePackage(
  relay: Pick<RelayPort, "take">,
  packageId: string,
  { runId, isForced, stoppedRunIds, signal }: TakeOptions,
): Promise<TakeAnswer> {
  const take = (force: boolean) =>
    relay.take(packageId, { run_id: runId, ...(force && { force }) }, signal);
  try {
    return await take(isForced);
  } catch (error) {
    if (!isHeldElsewhere(error)) throw error;
    for (const stopped of stoppedRunIds.filter((id) => id !== runId)) {
      if (await isHeldBy(stopped, relay, packageId, signal)) return take(true);
    }
    throw error;
  }
}

/** Returns whether a run holds the lease: the relay renews it only for that one. */
async function isHeldBy(
  runId: string,
  relay: Pick<RelayPort, "take">,
  packageId: string,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  try {
    await relay.take(packageId, { run_id: runId }, signal);
    return true;
  } catch (error) {
    if (isHeldElsewhere(error)) return false;
    throw error;
  }
}

function isHeldElsewhere(error: unknown): boolean {
  return statusOfError(error) === 409;
}
