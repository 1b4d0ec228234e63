import type { RelayClock } from "../domain/ports.ts";
import type { Asked, Counted, Granted } from "./limit-statements.ts";

/** Maximum number of units that a process holds of one window. */
export const SLICE_UNITS = 64;
/** Maximum number of windows of which this process holds units. Of others it takes one unit for each event. */
const MAX_SLICES = 10_000;
/** Time after which unused units are refunded. */
const IDLE_MS = 2000;
/** Time after which a full window is asked again, because others may have refunded units. */
const REFUSED_MS = 1000;

/** The units that this process holds of one window, and its knowledge of the others. */
class Slice {
  free = 0;
  /** Time at which its units count as events. They can be used until then: later use would count too short. */
  stamp = 0;
  endsAt = -Infinity;
  usedAt = -Infinity;
  /** Number of units that it got last. */
  size = 0.5;
  /** Number of units that the window had left after that, and the time from which there are more if it had none. */
  remaining = 0;
  moreAt = 0;
  refusedUntil = -Infinity;
  refusedMoreAt = -Infinity;
  asking: Promise<void> | undefined;
}

/** Units of a window that were taken from this process's slice. */
export interface Held {
  readonly remaining: number;
  readonly waitMs: number;
  readonly stamp: number;
}

/**
 * The units that this process holds of windows that allow many events (rule SC17), so that an event needs no
 * statement: one unit at first, then twice as many with each request, up to `SLICE_UNITS`. They are counted in the
 * database before they are used.
 */
export class Slices {
  readonly #clock: Pick<RelayClock, "now">;
  readonly #slices = new Map<string, Slice>();

  constructor(clock: Pick<RelayClock, "now">) {
    this.#clock = clock;
  }

  /** Returns the milliseconds for which the window is known to be full; 0 if it may have room. */
  refusedMs(key: string): number {
    const slice = this.#slices.get(key);
    const now = this.#clock.now();
    return slice !== undefined && now < slice.refusedUntil ? slice.refusedMoreAt - now : 0;
  }

  /** Returns the promise of another call that is asking the database for units of that window. */
  asking(key: string): Promise<void> | undefined {
    return this.#slices.get(key)?.asking;
  }

  /** Takes units from the slice. Returns undefined if it hasn't as many. */
  hold(key: string, units: number): Held | undefined {
    const slice = this.#slices.get(key);
    const now = this.#clock.now();
    if (slice === undefined || slice.free < units || now >= slice.endsAt) return undefined;
    slice.free -= units;
    slice.usedAt = now;
    return heldOf(slice, now);
  }

  /** Puts units back that were held or granted. Returns false if the slice no longer has units of that time. */
  putBack(key: string, { stamp, units }: Pick<Counted, "stamp" | "units">): boolean {
    const slice = this.#slices.get(key);
    if (slice === undefined) return false;
    slice.refusedUntil = -Infinity;
    if (slice.stamp !== stamp || this.#clock.now() >= slice.endsAt) return false;
    slice.free += units;
    return true;
  }

  /** Returns the number of units to ask for. `settled` resolves when the answer is there. */
  ask(key: string, need: number, settled: Promise<void>): number {
    let slice = this.#slices.get(key);
    if (slice === undefined) {
      if (this.#slices.size >= MAX_SLICES) return need;
      this.#slices.set(key, (slice = new Slice()));
    }
    slice.asking = settled;
    return Math.max(need, Math.min(SLICE_UNITS, slice.size * 2));
  }

  /** Keeps the units granted beyond `need`. Returns the earlier units of the slice, which must be refunded. */
  keep({ key, need }: Asked, granted: Granted, sentAt: number): { held: Held; spare: Counted[] } {
    const now = this.#clock.now();
    const slice = this.#slices.get(key) ?? new Slice();
    const spare = slice.free > 0 ? [{ key, stamp: slice.stamp, units: slice.free }] : [];
    slice.stamp = granted.stamp;
    // The database's time was `atMs` after the request was sent, so this ends too early, if at all.
    slice.endsAt = sentAt + granted.stamp - granted.atMs;
    slice.free = granted.granted - need;
    slice.size = granted.granted;
    slice.remaining = granted.remaining;
    slice.moreAt = now + granted.waitMs;
    slice.usedAt = now;
    return { held: heldOf(slice, now), spare };
  }

  /** Notes that the database had too few units. */
  noteRefused(key: string, waitMs: number): void {
    const slice = this.#slices.get(key);
    if (slice === undefined) return;
    const now = this.#clock.now();
    slice.usedAt = now;
    slice.refusedMoreAt = now + waitMs;
    slice.refusedUntil = now + Math.min(waitMs, REFUSED_MS);
  }

  answered(key: string): void {
    const slice = this.#slices.get(key);
    if (slice !== undefined) slice.asking = undefined;
  }

  /** Takes out the units to refund, because they are idle or over. Forgets slices that are both. */
  takeIdle(isAll = false): Counted[] {
    const now = this.#clock.now();
    const idle: Counted[] = [];
    for (const [key, slice] of this.#slices) {
      const isIdle = isAll || Math.abs(now - slice.usedAt) >= IDLE_MS;
      if (!isIdle && now < slice.endsAt) continue;
      if (slice.free > 0) idle.push({ key, stamp: slice.stamp, units: slice.free });
      slice.free = 0;
      if (isIdle && slice.asking === undefined) this.#slices.delete(key);
    }
    return idle;
  }
}

function heldOf({ free, remaining, moreAt, stamp }: Slice, now: number): Held {
  const left = remaining + free;
  return { remaining: left, waitMs: left > 0 ? 0 : Math.max(1, moreAt - now), stamp };
}
