import { NETWORK_FACTOR } from "../../core/quotas/budgets.ts";
import type { Eventual } from "../../core/eventual.ts";
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

/** The events of one bucket and span: by tier, then by key. */
interface Table {
  readonly windowMs: number;
  readonly tiers: Map<string, EventTimes>[];
  tidiedAt: number;
}

/** The place in which an event is counted. */
interface Counter {
  readonly tier: Map<string, EventTimes>;
  readonly name: string;
  /** Events of the key. New ones are added to `tier` when something is counted. */
  readonly events: EventTimes;
  readonly max: number;
  readonly windowMs: number;
}

/**
 * Exact sliding windows in one process. Each key stores the milliseconds of its last events. A monotonic clock fits
 * best: setting the machine's clock then neither frees nor blocks anybody.
 */
export class MemoryLimits implements Limits {
  readonly #clock: Pick<RelayClock, "now">;
  readonly #tables = new Map<Bucket, Map<number, Table>>();
  #countsUntilTidy = TIDY_AFTER;

  constructor(clock: Pick<RelayClock, "now">) {
    this.#clock = clock;
  }

  take(windows: readonly CountedIn[]): Eventual<TakenVerdict> {
    const now = this.#clock.now();
    this.#tidyAtTimes(now);
    const [only] = windows;
    if (only !== undefined && windows.length === 1) return this.#takeOne(only, now);
    const verdictOf = (counter: Counter) => counter.events.verdict(now, counter);
    // Checked before any is counted, so that refused events fill no table.
    const before = windows.map((each) => verdictOf(this.#counterOf(each, now)));
    if (!before.every(({ allowed }) => allowed)) return takenVerdict(before);
    const counted: Counter[] = [];
    const undo = () => {
      for (const { events } of counted.splice(0)) events.remove(now);
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
    const before = counter.events.verdict(now, counter);
    if (!before.allowed) return takenVerdict([before]);
    add(counter, now);
    return new TakenOnce(counter, now);
  }

  #counterOf({ bucket, key, window, parents = [] }: CountedIn, now: number): Counter {
    const table = this.#tableOf(bucket, window.windowMs);
    let { max } = window;
    for (let index = 0; ; index += 1) {
      const name = index === 0 ? key : (parents[index - 1] ?? ALL_OTHERS);
      const tier = (table.tiers[index] ??= new Map<string, EventTimes>());
      const events = tier.get(name);
      const isLast = index > parents.length;
      if (events !== undefined || isLast || this.#hasRoom(table, tier, now)) {
        const { windowMs } = table;
        return { tier, name, events: events ?? new EventTimes(), max, windowMs };
      }
      max *= NETWORK_FACTOR;
    }
  }

  #tableOf(bucket: Bucket, windowMs: number): Table {
    let tables = this.#tables.get(bucket);
    if (tables === undefined) this.#tables.set(bucket, (tables = new Map<number, Table>()));
    let table = tables.get(windowMs);
    if (table === undefined) {
      tables.set(windowMs, (table = { windowMs, tiers: [], tidiedAt: -Infinity }));
    }
    return table;
  }

  #hasRoom(table: Table, tier: ReadonlyMap<string, EventTimes>, now: number): boolean {
    if (tier.size >= MAX_KEYS && Math.abs(now - table.tidiedAt) >= TIDY_FULL_MS) {
      dropIdle(table, now);
    }
    return tier.size < MAX_KEYS;
  }

  #tidyAtTimes(now: number): void {
    this.#countsUntilTidy -= 1;
    if (this.#countsUntilTidy > 0) return;
    this.#countsUntilTidy = TIDY_AFTER;
    for (const tables of this.#tables.values()) {
      for (const table of tables.values()) dropIdle(table, now);
    }
  }
}

function add({ tier, name, events }: Counter, now: number): void {
  if (events.isEmpty) tier.set(name, events);
  events.add(now);
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

/** An event that was counted in one window: a single object, because every call makes one. */
class TakenOnce implements TakenVerdict {
  readonly allowed = true;
  readonly remaining: number;
  readonly retryAfterSeconds: number;
  readonly #at: number;
  #events: EventTimes | undefined;

  constructor(counter: Counter, at: number) {
    const { remaining, retryAfterSeconds } = counter.events.verdict(at, counter);
    this.remaining = remaining;
    this.retryAfterSeconds = retryAfterSeconds;
    this.#at = at;
    this.#events = counter.events;
  }

  get each(): readonly Verdict[] {
    return [this];
  }

  async refund(): Promise<void> {
    this.#events?.remove(this.#at);
    this.#events = undefined;
  }
}

function dropIdle(table: Table, now: number): void {
  table.tidiedAt = now;
  for (const tier of table.tiers) {
    for (const [key, events] of tier) {
      if (events.isIdle(now, table.windowMs)) tier.delete(key);
    }
  }
}

/** The events in a window. */
class EventTimes {
  /** The times of the events, oldest first, and the number of events at each. */
  readonly #times: number[] = [];
  readonly #counts: number[] = [];
  #total = 0;
  /** The number of times at the front that have left the window. They are dropped together, once they are half of all. */
  #gone = 0;

  /** Judges whether one more event is allowed now. Counts nothing. */
  verdict(now: number, { max, windowMs }: Window): Verdict {
    const remaining = max - this.#count(now, windowMs);
    if (remaining > 0) return { allowed: true, remaining, retryAfterSeconds: 0 };
    const waitMs = (this.#timeAfter(-remaining) ?? now) + windowMs - now;
    return { allowed: false, remaining, retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1000)) };
  }

  get isEmpty(): boolean {
    return this.#total === 0;
  }

  isIdle(now: number, windowMs: number): boolean {
    return this.#count(now, windowMs) === 0;
  }

  /** Many events at once take the memory of one. Times are rounded up, so that none leaves its window early. */
  add(now: number): void {
    const time = Math.ceil(now);
    const last = this.#times.length - 1;
    if (last >= this.#gone && this.#times[last] === time) this.#change(last, 1);
    else {
      this.#times.push(time);
      this.#counts.push(1);
      this.#total += 1;
    }
  }

  /** Removes the newest event of that time, if it is still there. */
  remove(time: number): void {
    const index = this.#times.lastIndexOf(Math.ceil(time));
    if (index >= this.#gone && this.#countAt(index) > 0) this.#change(index, -1);
  }

  #change(index: number, by: number): void {
    this.#counts[index] = this.#countAt(index) + by;
    this.#total += by;
  }

  #countAt(index: number): number {
    return this.#counts[index] ?? 0;
  }

  /** Returns the time of the event that follows the oldest `skipped` ones in the window. */
  #timeAfter(skipped: number): number | undefined {
    let index = this.#gone;
    for (let left = skipped; index < this.#times.length; index += 1) {
      left -= this.#countAt(index);
      if (left < 0) return this.#times[index];
    }
    return undefined;
  }

  /** Counts the events in the window, without those a whole window in the future: the clock was set back. */
  #count(now: number, windowMs: number): number {
    const times = this.#times;
    while (this.#gone < times.length && Math.abs(now - (times[this.#gone] ?? 0)) >= windowMs) {
      this.#total -= this.#countAt(this.#gone);
      this.#gone += 1;
    }
    if (this.#gone * 2 > times.length) {
      times.splice(0, this.#gone);
      this.#counts.splice(0, this.#gone);
      this.#gone = 0;
    }
    return this.#total;
  }
}
