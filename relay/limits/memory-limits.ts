import { NETWORK_FACTOR } from "../../core/quotas/budgets.ts";
import type {
  Bucket,
  CountedIn,
  Limits,
  RelayClock,
  TakenVerdict,
  Verdict,
  Window,
} from "../domain/ports.ts";

/** Number of counts after which idle keys are removed. */
const TIDY_AFTER = 10_000;
/** Maximum number of keys of one bucket, span and tier. Beyond it, a new key is counted on its parent. */
const MAX_KEYS = 50_000;
/** Interval between searches for idle keys while a table is full. */
const TIDY_FULL_MS = 1000;
/** The key of all whose parents have no room. */
const ALL_OTHERS = "all others";

/** The rings of one bucket and span: by tier, then by key. */
interface Table {
  readonly windowMs: number;
  readonly tiers: Map<string, TimestampRing>[];
  tidiedAt: number;
}

/** The place in which an event is counted. */
interface Counter {
  readonly rings: Map<string, TimestampRing>;
  readonly name: string;
  /** Ring of the key. A new ring is added to `rings` when something is counted. */
  readonly ring: TimestampRing;
  readonly window: Window;
}

/**
 * Exact sliding windows in one process. Each key stores the timestamps of its last events. A monotonic clock fits
 * best: setting the machine's clock then neither frees nor blocks anybody.
 */
export class MemoryLimits implements Limits {
  readonly #clock: Pick<RelayClock, "now">;
  readonly #tables = new Map<string, Table>();
  #countsUntilTidy = TIDY_AFTER;

  constructor(clock: Pick<RelayClock, "now">) {
    this.#clock = clock;
  }

  async take(windows: readonly CountedIn[]): Promise<TakenVerdict> {
    const now = this.#clock.now();
    this.#tidyAtTimes(now);
    const [only] = windows;
    if (only !== undefined && windows.length === 1) return this.#takeOne(only, now);
    const verdictOf = ({ ring, window }: Counter) => ring.verdict(now, window);
    // Checked before any is counted, so that refused events fill no table.
    const before = windows.map((each) => verdictOf(this.#counterOf(each, now)));
    if (!before.every(({ allowed }) => allowed)) return takenVerdict(before);
    const counted: Counter[] = [];
    const undo = () => {
      for (const { ring } of counted.splice(0)) ring.remove(now);
    };
    for (const [index, each] of windows.entries()) {
      const counter = this.#counterOf(each, now);
      const verdict = verdictOf(counter);
      if (!verdict.allowed) {
        // Two of the windows were the same one.
        undo();
        return takenVerdict(before.with(index, verdict));
      }
      add(counter, now);
      counted.push(counter);
    }
    const after = counted.map((counter) => {
      const { remaining, retryAfterSeconds } = verdictOf(counter);
      return { allowed: true, remaining, retryAfterSeconds };
    });
    return takenVerdict(after, async () => undo());
  }

  /** Takes an event in one window. Every call is one, so it does no more than necessary. */
  #takeOne(window: CountedIn, now: number): TakenVerdict {
    const counter = this.#counterOf(window, now);
    const before = counter.ring.verdict(now, counter.window);
    if (!before.allowed) return takenVerdict([before]);
    add(counter, now);
    const { remaining, retryAfterSeconds } = counter.ring.verdict(now, counter.window);
    const verdict = { allowed: true, remaining, retryAfterSeconds };
    let ring: TimestampRing | undefined = counter.ring;
    const refund = async () => {
      ring?.remove(now);
      ring = undefined;
    };
    return { ...verdict, each: [verdict], refund };
  }

  #counterOf({ bucket, key, window, parents = [] }: CountedIn, now: number): Counter {
    const table = this.#tableOf(bucket, window.windowMs);
    let { max } = window;
    for (const [tier, name] of [key, ...parents, ALL_OTHERS].entries()) {
      const rings = (table.tiers[tier] ??= new Map<string, TimestampRing>());
      const ring = rings.get(name);
      const isLast = tier > parents.length;
      if (ring !== undefined || isLast || this.#hasRoom(table, rings, now)) {
        return { rings, name, ring: ring ?? new TimestampRing(), window: { ...window, max } };
      }
      max *= NETWORK_FACTOR;
    }
    throw new Error("Everything is counted somewhere.");
  }

  #tableOf(bucket: Bucket, windowMs: number): Table {
    const name = `${bucket} ${windowMs}`;
    let table = this.#tables.get(name);
    if (table === undefined) {
      this.#tables.set(name, (table = { windowMs, tiers: [], tidiedAt: -Infinity }));
    }
    return table;
  }

  #hasRoom(table: Table, rings: ReadonlyMap<string, TimestampRing>, now: number): boolean {
    if (rings.size >= MAX_KEYS && Math.abs(now - table.tidiedAt) >= TIDY_FULL_MS) {
      dropIdle(table, now);
    }
    return rings.size < MAX_KEYS;
  }

  #tidyAtTimes(now: number): void {
    this.#countsUntilTidy -= 1;
    if (this.#countsUntilTidy > 0) return;
    this.#countsUntilTidy = TIDY_AFTER;
    for (const table of this.#tables.values()) dropIdle(table, now);
  }
}

function add({ rings, name, ring }: Counter, now: number): void {
  rings.set(name, ring);
  ring.add(now);
}

/** Sums up the answers of an event's windows. */
export function takenVerdict(
  each: readonly Verdict[],
  refund: () => Promise<void> = async () => {},
): TakenVerdict {
  return {
    allowed: each.every(({ allowed }) => allowed),
    remaining: Math.min(...each.map(({ remaining }) => remaining)),
    retryAfterSeconds: Math.max(...each.map(({ retryAfterSeconds }) => retryAfterSeconds)),
    each,
    refund,
  };
}

function dropIdle(table: Table, now: number): void {
  table.tidiedAt = now;
  for (const rings of table.tiers) {
    for (const [key, ring] of rings) {
      if (ring.isIdle(now, table.windowMs)) rings.delete(key);
    }
  }
}

/** The timestamps of events in a window, oldest first, in a ring buffer that grows as needed. */
class TimestampRing {
  #timestamps = new Float64Array(4);
  #first = 0;
  #count = 0;

  /** Judges whether one more event is allowed now. Counts nothing. */
  verdict(now: number, { max, windowMs }: Window): Verdict {
    this.#dropOld(now, windowMs);
    const remaining = max - this.#count;
    const allowed = remaining > 0;
    return { allowed, remaining, retryAfterSeconds: allowed ? 0 : this.#wait(now, max, windowMs) };
  }

  isIdle(now: number, windowMs: number): boolean {
    this.#dropOld(now, windowMs);
    return this.#count === 0;
  }

  add(now: number): void {
    if (this.#count === this.#timestamps.length) this.#grow();
    this.#timestamps[(this.#first + this.#count) % this.#timestamps.length] = now;
    this.#count += 1;
  }

  /** Removes the newest event of that time, if it is still there. */
  remove(time: number): void {
    let index = this.#count - 1;
    while (index >= 0 && this.#at(index) !== time) index -= 1;
    if (index < 0) return;
    const { length } = this.#timestamps;
    for (; index < this.#count - 1; index += 1) {
      this.#timestamps[(this.#first + index) % length] = this.#at(index + 1);
    }
    this.#count -= 1;
  }

  #wait(now: number, max: number, windowMs: number): number {
    const freeAt = max > 0 ? this.#at(this.#count - max) + windowMs : now + windowMs;
    return Math.max(1, Math.ceil((freeAt - now) / 1000));
  }

  /** Drops old events, and events a whole window in the future: the clock was set back. */
  #dropOld(now: number, windowMs: number): void {
    while (this.#count > 0 && Math.abs(now - this.#at(0)) >= windowMs) {
      this.#first = (this.#first + 1) % this.#timestamps.length;
      this.#count -= 1;
    }
  }

  #at(index: number): number {
    return this.#timestamps[(this.#first + index) % this.#timestamps.length] ?? 0;
  }

  #grow(): void {
    const grown = new Float64Array(this.#timestamps.length * 2);
    for (let index = 0; index < this.#count; index += 1) grown[index] = this.#at(index);
    this.#timestamps = grown;
    this.#first = 0;
  }
}
