import { hash } from "node:crypto";
import type {
  Bucket,
  CountedIn,
  Limits,
  RelayClock,
  TakenVerdict,
  Verdict,
} from "../domain/ports.ts";
import type { Connections } from "../storage/postgres/connections.ts";
import {
  type Asked,
  type Counted,
  type Granted,
  LimitStatements,
  TidyLimits,
} from "./limit-statements.ts";
import { MemoryLimits, takenVerdict } from "./memory-limits.ts";
import { type Held, Slices } from "./slices.ts";

/** Largest number of events for which a window is exact to the millisecond. */
const EXACT_MAX = 600;
/** Divisor of the span: in larger windows an event may count longer by this part of the span. */
const GRAINS = 64;
/** Buckets of events that every call may have, too many for a statement each. */
const OF_A_PROCESS: ReadonlySet<Bucket> = new Set(["calls", "senders"]);
/** Number of times that a call waits for another one's answer before it asks the database. */
const MAX_WAITS = 8;
/** Length of 128 bits in hex, so that two keys of one relay don't collide. */
const KEY_LENGTH = 32;

export interface PostgresLimitsOptions {
  readonly connections: Connections;
  /** Clock that measures spans in this process, preferably a monotonic one. */
  readonly clock: Pick<RelayClock, "now">;
  /** Time to count by in place of the database's. For tests. */
  readonly time?: (() => number) | undefined;
}

/** A window that an event needs units of. */
type Wanted = Omit<Asked, "want">;

/** Units that an event has taken of a window. */
type Taken = Held & Counted;

/** The answers of windows. Where an event was refused, only a window that is full has a wait. */
interface Answered {
  readonly answers: readonly Pick<Taken, "key" | "remaining" | "waitMs">[];
  /** undefined if the event was refused. */
  readonly taken?: readonly Taken[];
}

/**
 * Limits that all processes share, except calls and their addresses, which are counted in this process (rule SC16):
 * they are many, and a proxy pins a token to a relay. Everything else counts in sliding windows in PostgreSQL, for all
 * processes together and by the database's clock (rule SC17). Windows of up to `EXACT_MAX` events are exact. Of larger
 * ones each process holds a slice, so that a row doesn't slow down every call. No window ever lets more through than it
 * allows; units that processes hold and don't use are missing to others for seconds. The database has room for every
 * key, so no event counts on a parent.
 */
export class PostgresLimits implements Limits, AsyncDisposable {
  readonly #ofProcess: Limits;
  readonly #statements: LimitStatements;
  readonly #clock: Pick<RelayClock, "now">;
  readonly #slices: Slices;
  readonly #tidying: TidyLimits;

  constructor({ connections, clock, time }: PostgresLimitsOptions) {
    this.#ofProcess = new MemoryLimits(clock);
    this.#statements = new LimitStatements(connections, time);
    this.#clock = clock;
    this.#slices = new Slices(clock);
    this.#tidying = new TidyLimits(this.#statements, (isAll) => this.#slices.takeIdle(isAll));
  }

  async take(windows: readonly CountedIn[]): Promise<TakenVerdict> {
    if (windows[0] !== undefined && OF_A_PROCESS.has(windows[0].bucket)) {
      return this.#ofProcess.take(windows);
    }
    const keys = windows.map(counterKey);
    const answered = await this.#take(merged(windows, keys));
    const each = keys.map((key) => verdictOf(key, answered));
    return takenVerdict(each, this.#refunding(answered.taken ?? []));
  }

  async #take(wanted: readonly Wanted[]): Promise<Answered> {
    for (let waits = 0; ; waits += 1) {
      const full = wanted.filter(isSliced).map(({ key }) => {
        return { key, remaining: 0, waitMs: this.#slices.refusedMs(key) };
      });
      if (full.some(({ waitMs }) => waitMs > 0)) return { answers: full };
      const taken: Taken[] = [];
      const missing = wanted.filter((one) => {
        const held = isSliced(one) ? this.#slices.hold(one.key, one.need) : undefined;
        if (held !== undefined) taken.push({ ...held, key: one.key, units: one.need });
        return held === undefined;
      });
      if (missing.length === 0) return { answers: taken, taken };
      const asking = missing.map(({ key }) => this.#slices.asking(key)).find(isDefined);
      if (asking === undefined || waits === MAX_WAITS) return this.#ask(missing, taken);
      await this.#refund(taken);
      await asking;
    }
  }

  /** Refunds the units that this process holds. The connections belong to the caller. */
  [Symbol.asyncDispose](): PromiseLike<void> {
    return this.#tidying[Symbol.asyncDispose]();
  }

  async #ask(missing: readonly Wanted[], taken: readonly Taken[]): Promise<Answered> {
    const settled = Promise.withResolvers<void>();
    const asked = missing.map((one): Asked => {
      const want = isSliced(one) ? this.#slices.ask(one.key, one.need, settled.promise) : one.need;
      return { ...one, want };
    });
    try {
      const sentAt = this.#clock.now();
      const granted = await this.#statements.take(asked);
      const answered = asked.flatMap((one, at) => {
        const answer = granted[at];
        return answer === undefined ? [] : [{ one, answer }];
      });
      if (answered.every(({ answer }) => answer.granted > 0)) {
        const got = answered.map(({ one, answer }) => this.#keep(one, answer, sentAt));
        const all = [...taken, ...got];
        return { answers: all, taken: all };
      }
      const answers = answered.map(({ one: { key }, answer: { remaining, waitMs } }) => {
        this.#slices.noteRefused(key, waitMs);
        return { key, remaining, waitMs };
      });
      await this.#refund(taken);
      return { answers };
    } catch (error) {
      this.#putBack(taken);
      throw error;
    } finally {
      for (const { key } of asked) this.#slices.answered(key);
      settled.resolve();
    }
  }

  #keep(one: Asked, answer: Granted, sentAt: number): Taken {
    const counted = { key: one.key, units: one.need };
    if (!isSliced(one)) return { ...answer, ...counted };
    const { held, spare } = this.#slices.keep(one, answer, sentAt);
    this.#tidying.refund(spare);
    return { ...held, ...counted };
  }

  #refunding(taken: readonly Taken[]): () => Promise<void> {
    let kept: readonly Taken[] = taken;
    return async () => {
      const back = kept;
      kept = [];
      await this.#refund(back);
    };
  }

  /** Refunds units. While the database is away, they count until they leave the window: their work is done. */
  async #refund(taken: readonly Taken[]): Promise<void> {
    const left = this.#putBack(taken);
    if (left.length > 0) await this.#statements.refund(left).catch(() => undefined);
  }

  /** Puts units back into their slices. Returns those that belong to no slice. */
  #putBack(taken: readonly Taken[]): readonly Counted[] {
    return taken.filter((one) => !this.#slices.putBack(one.key, one));
  }
}

/** Merges the windows of each key. Two windows of one key need two units. */
function merged(windows: readonly CountedIn[], keys: readonly string[]): readonly Wanted[] {
  const wanted = new Map<string, Wanted>();
  for (const [index, { window }] of windows.entries()) {
    const key = keys[index] ?? "";
    const { max, windowMs: spanMs } = window;
    const grainMs = max > EXACT_MAX ? Math.ceil(spanMs / GRAINS) : 1;
    const need = (wanted.get(key)?.need ?? 0) + 1;
    wanted.set(key, { key, max, spanMs, grainMs, need });
  }
  return [...wanted.values()];
}

/**
 * Makes the name of a counter, without the address or the token hash that it counts: 32 hexadecimal digits. Spans of
 * different length have separate counters.
 */
function counterKey({ bucket, key, window }: CountedIn): string {
  return hash("sha256", `${bucket} ${window.windowMs} ${key}`, "hex").slice(0, KEY_LENGTH);
}

function isSliced({ grainMs }: Wanted): boolean {
  return grainMs > 1;
}

function isDefined<Value>(value: Value | undefined): value is Value {
  return value !== undefined;
}

function verdictOf(key: string, { answers, taken }: Answered): Verdict {
  const { remaining = 0, waitMs = 0 } = answers.find((one) => one.key === key) ?? {};
  const allowed = taken !== undefined || waitMs <= 0;
  return { allowed, remaining, retryAfterSeconds: secondsOf(waitMs) };
}

/** Converts a wait to whole seconds, at least 1; 0 for no wait. */
function secondsOf(waitMs: number): number {
  return waitMs > 0 ? Math.max(1, Math.ceil(waitMs / 1000)) : 0;
}
