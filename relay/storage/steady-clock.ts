import type { ClockJump, WatchfulClock } from "../domain/ports.ts";

/** The sources of a clock's time, both in milliseconds. Fractions are allowed. */
export interface TimeSources {
  /** Time since 1970, UTC. May be set back or forward at any time. */
  readonly wall: () => number;
  /** Time since an arbitrary moment. Never decreases. If it stands during a sleep, the sleep counts as a jump. */
  readonly monotonic: () => number;
}

/** Distance from the expected time at which a wall clock counts as having jumped. */
const JUMP_MS = 3_600_000;

/** A running proof: the offset between both clocks, and the monotonic time since which it holds. */
interface Proof {
  readonly offset: number;
  readonly since: number;
  /** End of the proof, by the wall clock. */
  readonly endsAt: number;
}

/**
 * The wall clock, except that it never goes back (rule J3) and notices jumps (rule Z6).
 *
 * `now()` follows a step forward at once. After the wall clock was set back, `now()` continues at half speed until
 * the wall clock has caught up. `confirmedNow()` follows a step forward of more than an hour only after wall and
 * monotonic clock have agreed for `proofMs`, and continues by the monotonic clock until then. After the wall clock
 * was set back, `confirmedNow()` stands still.
 */
export class SteadyClock implements WatchfulClock {
  readonly #sources: TimeSources;
  readonly #proofMs: number;
  /** The times at the last look. `NaN` before the first one, unless a time is kept: numbers alone cost no memory. */
  #latest = NaN;
  #proven = NaN;
  #lookedAt = NaN;
  #wall = NaN;
  #proof: Proof | undefined;

  /**
   * Starts a clock.
   * @param options `keptTime` is the proven time of an earlier process; without one the wall clock is trusted
   */
  constructor(
    sources: TimeSources,
    options: { readonly keptTime?: number | undefined; readonly proofMs?: number } = {},
  ) {
    this.#sources = sources;
    this.#proofMs = options.proofMs ?? 0;
    this.#latest = options.keptTime ?? NaN;
    this.#proven = this.#latest;
  }

  now(): number {
    this.#look();
    return Math.floor(this.#latest);
  }

  confirmedNow(): number {
    this.#look();
    return Math.floor(this.#proven);
  }

  findJump(): ClockJump | undefined {
    const wall = this.#look();
    if (this.#proof !== undefined) return { kind: "forward", provenAt: this.#proof.endsAt };
    return this.#latest - wall > JUMP_MS ? { kind: "back" } : undefined;
  }

  restart(): void {
    this.#latest = NaN;
    this.#proven = NaN;
    this.#lookedAt = NaN;
    this.#proof = undefined;
  }

  /** Looks at both clocks. Returns the wall clock's time. */
  #look(): number {
    const wall = this.#sources.wall();
    // A look costs much of a call's time, and each call looks several times in one millisecond.
    if (wall === this.#wall && this.#isUsual(wall)) return wall;
    this.#wall = wall;
    const at = this.#sources.monotonic();
    const passed = Number.isNaN(this.#lookedAt) ? 0 : at - this.#lookedAt;
    const proven = Number.isNaN(this.#proven) ? wall : this.#proven;
    const latest = Number.isNaN(this.#latest) ? wall : this.#latest;
    this.#lookedAt = at;
    this.#latest = Math.max(wall, latest + passed / 2);
    this.#proven = this.#prove(wall, at, proven, passed);
    return wall;
  }

  /** Checks whether both times follow the wall clock, as they do unless it was set. */
  #isUsual(wall: number): boolean {
    return this.#latest - wall < 1 && this.#proven === wall;
  }

  /** Computes the proven time now, from the one at the last look. */
  #prove(wall: number, at: number, last: number, passed: number): number {
    const expected = last + passed;
    if (wall - expected > JUMP_MS && !this.#isProofOver(wall, at)) return expected;
    this.#proof = undefined;
    return Math.max(last, wall);
  }

  /** Checks whether the proof is complete. Begins one, and begins again after another jump. */
  #isProofOver(wall: number, at: number): boolean {
    const offset = wall - at;
    let proof = this.#proof;
    if (proof === undefined || Math.abs(offset - proof.offset) > JUMP_MS) {
      proof = { offset, since: at, endsAt: wall + this.#proofMs };
      this.#proof = proof;
    }
    return at - proof.since >= this.#proofMs;
  }
}
