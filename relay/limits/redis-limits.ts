import type {
  Bucket,
  CountedIn,
  Limits,
  RelayClock,
  TakenVerdict,
  Verdict,
  Window,
} from "../domain/ports.ts";
import { countOne } from "./count-one.ts";
import { counterKey } from "./counter-key.ts";
import { RedisLine } from "./redis-line.ts";
import { secondsOf } from "./seconds-of.ts";

/** While Redis counts, this process only notes what it has allowed, which is never as much. */
const NOTED_FACTOR = 2;
const SHARED_PREFIX = "soundferry";

export interface RedisLimitsOptions {
  readonly url: string;
  /** Measures spans in this process; best one that goes on evenly. */
  readonly clock: Pick<RelayClock, "now">;
  /** Counts in this process alone while Redis is away, with the full limit. */
  readonly fallback: Limits;
  /** Keeps the counters of several relays apart that use one Redis. */
  readonly prefix?: string | undefined;
  /** How long a call waits for Redis; 400 ms unless set. */
  readonly patienceMs?: number | undefined;
  /** Called once when Redis is away, until it has been back. */
  readonly onTrouble: (error: Error) => void;
  /** The time to count by in place of Redis' own. For tests. */
  readonly time?: (() => number) | undefined;
}

/**
 * Exact sliding windows in Redis, for all processes together and by Redis' clock. Each window is a list of at most `max`
 * times that expires with its last one. Redis keeps as many keys as it has memory for, so no event counts on a parent; it
 * must not evict keys (`maxmemory-policy noeviction`). Where it refuses for want of memory, it counts as away.
 *
 * While Redis is away each process counts alone, with the full limit (rule SC16). It notes what it allows at all times, so
 * that it never allows more than the limit itself, also around the change.
 */
export class RedisLimits implements Limits, AsyncDisposable {
  readonly #options: RedisLimitsOptions;
  readonly #prefix: string;
  readonly #line: RedisLine;
  #trouble: string | undefined;
  #hasCountedAlone = false;
  #backAt = -Infinity;

  /** Waits for a moment until Redis is connected; if that fails, it goes on trying. */
  static async open(options: RedisLimitsOptions): Promise<RedisLimits> {
    const limits = new RedisLimits(options);
    await limits.#line.start();
    return limits;
  }

  private constructor(options: RedisLimitsOptions) {
    this.#options = options;
    this.#prefix = options.prefix ?? SHARED_PREFIX;
    this.#line = new RedisLine({
      url: options.url,
      patienceMs: options.patienceMs,
      probeKey: `${this.#prefix}:probe`,
      onAway: (reason) => this.#noteAway(reason),
      onBack: () => this.#noteBack(),
    });
  }

  /** A sentence while Redis is away. */
  get trouble(): string | undefined {
    return this.#trouble;
  }

  async count(
    bucket: Bucket,
    key: string,
    window: Window,
    parents: readonly string[] = [],
  ): Promise<Verdict> {
    return countOne(this, { bucket, key, window, parents });
  }

  async take(windows: readonly CountedIn[]): Promise<TakenVerdict> {
    const { fallback } = this.#options;
    if (this.#line.isAway) return this.#takeAlone(windows);
    if (this.#wasAwayWithin(windows)) return this.#takeInBoth(windows);
    let shared: TakenVerdict;
    try {
      shared = await this.#takeShared(windows);
    } catch {
      return this.#takeAlone(windows);
    }
    if (!shared.allowed) return shared;
    const noted = await fallback.take(windows.map(widened));
    return { ...shared, giveBack: bothOf(shared, noted) };
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#line[Symbol.asyncDispose]();
  }

  #takeAlone(windows: readonly CountedIn[]): Promise<TakenVerdict> {
    this.#hasCountedAlone = true;
    return this.#options.fallback.take(windows);
  }

  /** What this process has allowed alone is unknown to Redis. */
  async #takeInBoth(windows: readonly CountedIn[]): Promise<TakenVerdict> {
    const own = await this.#takeAlone(windows);
    if (!own.allowed) return own;
    let shared: TakenVerdict;
    try {
      shared = await this.#takeShared(windows);
    } catch {
      return own;
    }
    if (!shared.allowed) {
      await own.giveBack();
      return shared;
    }
    return {
      allowed: true,
      remaining: Math.min(own.remaining, shared.remaining),
      retryAfterSeconds: Math.max(own.retryAfterSeconds, shared.retryAfterSeconds),
      giveBack: bothOf(own, shared),
    };
  }

  async #takeShared(windows: readonly CountedIn[]): Promise<TakenVerdict> {
    const keys = windows.map((counted) => `${this.#prefix}:${counterKey(counted)}`);
    const time = this.#options.time?.() ?? "";
    const values = windows.flatMap(({ window: { max, windowMs } }) => [max, windowMs]);
    const { isCounted, remaining, waitMs, stamp } = await this.#line.take(keys, [time, ...values]);
    let isKept = isCounted;
    return {
      allowed: isCounted,
      remaining,
      retryAfterSeconds: secondsOf(waitMs),
      giveBack: async () => {
        if (!isKept) return;
        isKept = false;
        await this.#line.giveBack(keys, stamp);
      },
    };
  }

  #wasAwayWithin(windows: readonly CountedIn[]): boolean {
    if (this.#backAt === -Infinity) return false;
    const passed = this.#options.clock.now() - this.#backAt;
    return windows.some(({ window }) => Math.abs(passed) < window.windowMs);
  }

  #noteAway(reason: string): void {
    if (this.#trouble !== undefined) return;
    this.#trouble = `Calls are counted per process, each with the full limit: Redis at ${this.#line.where} is away (${reason}).`;
    this.#options.onTrouble(new Error(this.#trouble));
  }

  #noteBack(): void {
    this.#trouble = undefined;
    if (!this.#hasCountedAlone) return;
    this.#hasCountedAlone = false;
    this.#backAt = this.#options.clock.now();
  }
}

function widened(counted: CountedIn): CountedIn {
  const { max, windowMs } = counted.window;
  return { ...counted, window: { max: max * NOTED_FACTOR, windowMs } };
}

function bothOf(one: TakenVerdict, other: TakenVerdict): () => Promise<void> {
  return async () => void (await Promise.all([one.giveBack(), other.giveBack()]));
}
