import type { TakeAnswer } from "../../core/protocol/importer-api.ts";
import { isRunElsewhere, type RelayError } from "./relay-errors.ts";
import type { RelayPort } from "./relay-port.ts";
import type { Timers } from "../concurrency/timers.ts";

/** A lease lasts five minutes; an active run renews it every minute (rule S2). */
export const BEAT_MS = 60_000;

export interface Lease {
  readonly packageId: string;
  readonly runId: string;
}

export interface LeaseHeartbeatDeps {
  readonly relay: Pick<RelayPort, "take">;
  readonly timers: Timers;
  /** Asked before each beat; a run whose downloads bring nothing skips it. */
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

  /** Also ends a beat in flight: a run that is over must not get the lease again. */
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
