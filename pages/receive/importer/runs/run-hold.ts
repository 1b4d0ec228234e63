import { PROGRESS_BYTES } from "../../../../core/download-pause.ts";
import type { FetchFailure } from "../../../../core/importer/fetch-failure.ts";
import { ConnectionLostError } from "../../../../core/importer/import-errors.ts";
import { isOwnRefusal, isRunElsewhere } from "../../../../core/importer/relay-errors.ts";
import { MAX_TIMER_MS } from "../../../../core/timers.ts";

/** Interval at which an active run renews its lease (rule S2). */
const BEAT_MS = 60_000;

interface RunHoldDeps {
  /** Duration of the lease without renewal. */
  readonly leaseSeconds: number;
  readonly renew: () => Promise<unknown>;
  /** Called after each failed attempt, with the seconds until the run gives up. */
  readonly onTrouble: (secondsLeft: number) => void;
  /** Called when new bytes arrive again. */
  readonly onRecovered: () => void;
}

/**
 * A run's hold on its package: renewed every minute while downloads bring something new, and given up once the lease has
 * ended without a new byte (rules S2, R1).
 */
export class RunHold {
  readonly #deps: RunHoldDeps;
  readonly #leaseMs: number;
  readonly #lost = new AbortController();
  readonly #beating: number;
  #ending = 0;
  #endsAtMs = 0;
  #renewedAtMs = performance.now();
  #newBytes = 0;
  #hasProgress = true;
  #trouble: FetchFailure | undefined;
  #isInTrouble = false;

  constructor(deps: RunHoldDeps) {
    this.#deps = deps;
    this.#leaseMs = Math.min(deps.leaseSeconds * 1000, MAX_TIMER_MS);
    this.#beating = setInterval(() => this.#beat(), BEAT_MS);
    this.#extend();
  }

  /** Aborts with a `ConnectionLostError`, or with the relay's refusal when another run has the lease. */
  get signal(): AbortSignal {
    return this.#lost.signal;
  }

  /** @param newBytes received beyond the furthest point of their sound */
  noteBytes(newBytes: number): void {
    this.#newBytes += newBytes;
    if (this.#newBytes >= PROGRESS_BYTES) this.noteSettled();
  }

  /** Records that a sound is settled. */
  noteSettled(): void {
    this.#newBytes = 0;
    this.#hasProgress = true;
    this.#extend();
    if (!this.#isInTrouble) return;
    this.#isInTrouble = false;
    void this.#renew();
    this.#deps.onRecovered();
  }

  noteTrouble(failure: FetchFailure): void {
    this.#trouble = failure;
    this.#isInTrouble = true;
    this.#deps.onTrouble(Math.ceil(Math.max(0, this.#endsAtMs - performance.now()) / 1000));
  }

  /**
   * Renews the lease once more where the last renewal is older than a beat, before anything is saved.
   * @throws {Error} when another run has it, or it may have ended
   */
  async confirm(): Promise<void> {
    const ageMs = performance.now() - this.#renewedAtMs;
    if (ageMs <= BEAT_MS) return;
    try {
      await this.#deps.renew();
    } catch (error) {
      if (isOwnRefusal(error) || ageMs >= this.#leaseMs) throw error;
    }
  }

  /** Stops renewing. */
  end(): void {
    clearInterval(this.#beating);
    clearTimeout(this.#ending);
  }

  #beat(): void {
    const mayRenew = this.#hasProgress && !this.#isInTrouble;
    this.#hasProgress = false;
    if (mayRenew) void this.#renew();
  }

  async #renew(): Promise<void> {
    try {
      await this.#deps.renew();
      this.#renewedAtMs = performance.now();
      this.#extend();
    } catch (error) {
      // The lease outlives several failed beats, and the run's own calls notice when the package is gone.
      if (isRunElsewhere(error)) this.#lost.abort(error);
    }
  }

  #extend(): void {
    this.#endsAtMs = performance.now() + this.#leaseMs;
    clearTimeout(this.#ending);
    this.#ending = setTimeout(() => {
      this.#lost.abort(new ConnectionLostError(this.#trouble));
    }, this.#leaseMs);
  }
}
