import type {
  Bucket,
  CountedIn,
  Limits,
  RelayClock,
  TakenVerdict,
  Verdict,
  Window,
} from "../domain/ports.ts";
import type { Connections, Statement } from "../storage/postgres/connections.ts";
import { PostgresLimits } from "./postgres-limits.ts";
import { RedisLimits } from "./redis-limits.ts";

const SCOPE: Statement = { name: "limit_scope", text: "SELECT id FROM limit_scope" };
const PREFIX = "soundferry";
const NOT_SET =
  "Calls are counted per process, each with the full limit: SOUNDFERRY_REDIS_URL is not set.";

export interface SharedLimitsOptions {
  /** Counts calls; each process counts its own without it. */
  readonly redisUrl: string | undefined;
  /** Of a database with `LIMITS_SCHEMA`, which counts all else; each process does without it. */
  readonly connections: Connections | undefined;
  /** Measures spans in this process; best one that goes on evenly. Redis and PostgreSQL count by their own time. */
  readonly clock: Pick<RelayClock, "now">;
  /** Counts in this process, with the full limit. */
  readonly fallback: Limits;
  /** Called when Redis is away, once until it has been back, with a sentence for the operator. */
  readonly onTrouble: (error: Error) => void;
  /** How long a call waits for Redis; 400 ms unless set. */
  readonly patienceMs?: number | undefined;
  /** The time that both count by, in place of their own. For tests. */
  readonly time?: (() => number) | undefined;
}

/**
 * Limits that several relays share (rules SC16, SC17). A Redis that is away is no error: it connects when it is back.
 * @throws if the database can't be asked
 */
export async function openSharedLimits(options: SharedLimitsOptions): Promise<SharedLimits> {
  const { redisUrl: url, connections } = options;
  const prefix = connections && `${PREFIX}:${await readScope(connections)}`;
  const redis = url === undefined ? undefined : await RedisLimits.open({ ...options, url, prefix });
  const postgres = connections && new PostgresLimits({ ...options, connections });
  return new SharedLimits({ redis, postgres, fallback: options.fallback });
}

interface SharedLimitsDeps {
  readonly redis: RedisLimits | undefined;
  readonly postgres: PostgresLimits | undefined;
  readonly fallback: Limits;
}

/** Calls are many and forgotten in a minute, so Redis counts them. All else is counted where the records are. */
export class SharedLimits implements Limits, AsyncDisposable {
  readonly #deps: SharedLimitsDeps;

  /** Both belong to it: they are disposed with it. */
  constructor(deps: SharedLimitsDeps) {
    this.#deps = deps;
  }

  /** What keeps a limit from holding across relays at present, as a sentence; undefined if nothing does. */
  get trouble(): string | undefined {
    const { redis } = this.#deps;
    return redis === undefined ? NOT_SET : redis.trouble;
  }

  count(
    bucket: Bucket,
    key: string,
    window: Window,
    parents: readonly string[] = [],
  ): Promise<Verdict> {
    return this.#countersOf(bucket).count(bucket, key, window, parents);
  }

  async take(windows: readonly CountedIn[]): Promise<TakenVerdict> {
    const calls = windows.filter(({ bucket }) => bucket === "calls");
    if (calls.length === windows.length) return this.#countersOf("calls").take(windows);
    const others = windows.filter(({ bucket }) => bucket !== "calls");
    const taken = await this.#countersOf("codes").take(others);
    if (calls.length === 0 || !taken.allowed) return taken;
    return this.#takeCallsToo(taken, calls);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#deps.redis?.[Symbol.asyncDispose]();
    await this.#deps.postgres?.[Symbol.asyncDispose]();
  }

  async #takeCallsToo(taken: TakenVerdict, calls: readonly CountedIn[]): Promise<TakenVerdict> {
    const counted = await this.#countersOf("calls").take(calls);
    if (!counted.allowed) {
      await taken.giveBack();
      return counted;
    }
    return {
      allowed: true,
      remaining: Math.min(taken.remaining, counted.remaining),
      retryAfterSeconds: Math.max(taken.retryAfterSeconds, counted.retryAfterSeconds),
      giveBack: async () => void (await Promise.all([taken.giveBack(), counted.giveBack()])),
    };
  }

  #countersOf(bucket: Bucket): Limits {
    const { redis, postgres, fallback } = this.#deps;
    return (bucket === "calls" ? redis : postgres) ?? fallback;
  }
}

/** What the relays of one database have in common, also behind different addresses of it. */
async function readScope(connections: Connections): Promise<string> {
  const [row] = await connections.read<{ readonly id: string }>(SCOPE);
  if (row === undefined) throw new Error(`${connections.where}: The table limit_scope is empty.`);
  return row.id;
}
