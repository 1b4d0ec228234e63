import { Redis } from "ioredis";
import { AnswerWatch } from "./answer-watch.ts";
import { parseTaken, TAKE, TAKE_SHA, type Taken } from "./redis-script.ts";

const DEFAULT_PORT = 6379;
/** A Redis near the relay answers in a millisecond; callers wait for it. */
const PATIENCE_MS = 400;
/** As many times longer it may take from connecting until it has counted a first event, while it loads its data. */
const READY_FACTOR = 3;
const RETRY_MS = 250;
const MAX_RETRY_MS = 1000;

export interface RedisLineOptions {
  readonly url: string;
  /** Counted at the start of each connection, to see that Redis takes changes. */
  readonly probeKey: string;
  /** How long it waits for an answer; 400 ms unless set. */
  readonly patienceMs?: number | undefined;
  /** @param reason why, without anything secret */
  readonly onAway: (reason: string) => void;
  readonly onBack: () => void;
}

/**
 * One connection to Redis, on which calls share a packet and never wait for a connection: while Redis is away, each one
 * fails at once. It connects again on its own. A lost answer counts as away: whether the event was counted is unknown.
 */
export class RedisLine implements AsyncDisposable {
  /** Where it is, without user and password. */
  readonly where: string;
  readonly #options: RedisLineOptions;
  readonly #patienceMs: number;
  #link: Link | undefined;
  #failures = 0;
  #reason = "it has not answered yet";
  #retry: NodeJS.Timeout | undefined;

  constructor(options: RedisLineOptions) {
    this.#options = options;
    this.#patienceMs = options.patienceMs ?? PATIENCE_MS;
    const { hostname, port } = new URL(options.url);
    this.where = `${hostname}:${port === "" ? DEFAULT_PORT : port}`;
  }

  /** Resolves once it is ready, or found away. */
  async start(): Promise<void> {
    await this.#connect();
  }

  get isAway(): boolean {
    return this.#link?.isReady !== true;
  }

  /** Runs `TAKE`. @throws if Redis is away, doesn't answer in time, or refuses; then it is away from now on */
  async take(keys: readonly string[], values: readonly (string | number)[]): Promise<Taken> {
    const link = this.#link;
    if (link?.isReady !== true) throw new Error(this.#reason);
    try {
      return parseTaken(await link.watch.during(run(link.client, keys, values)));
    } catch (error) {
      this.#lose(link, error);
      throw error;
    }
  }

  /** Takes the newest entry of that time off each list, if it is there; does nothing while Redis is away. */
  async giveBack(keys: readonly string[], stamp: string): Promise<void> {
    const link = this.#link;
    if (link?.isReady !== true) return;
    const removed = Promise.all(keys.map((key) => link.client.lrem(key, -1, stamp)));
    await link.watch.during(removed).catch((error: unknown) => this.#lose(link, error));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearTimeout(this.#retry);
    this.#link?.client.disconnect();
    this.#link = undefined;
  }

  async #connect(): Promise<void> {
    const patienceMs = this.#patienceMs;
    const client = openClient(this.#options.url, patienceMs);
    const onSilence = () => this.#lose(link, silent(patienceMs));
    const link: Link = { client, watch: new AnswerWatch(patienceMs, onSilence), isReady: false };
    this.#link = link;
    let trouble: unknown;
    client.on("error", (error) => (trouble ??= error));
    client.on("end", () => this.#lose(link, trouble ?? new Error("the connection has ended")));
    const readyMs = patienceMs * READY_FACTOR;
    const late = setTimeout(() => this.#lose(link, silent(readyMs)), readyMs);
    try {
      await client.connect();
      await client.eval(TAKE, 1, this.#options.probeKey, "", 1, 1);
    } catch (error) {
      this.#lose(link, trouble ?? error);
    } finally {
      clearTimeout(late);
    }
    // It may be closed by now, or given up.
    if (this.#link !== link) return;
    this.#failures = 0;
    link.isReady = true;
    this.#options.onBack();
  }

  #lose(link: Link, error: unknown): void {
    if (this.#link !== link) return;
    this.#link = undefined;
    link.watch.stop();
    link.client.disconnect();
    this.#reason = reasonOf(error);
    this.#options.onAway(this.#reason);
    const wait = Math.min(RETRY_MS * 2 ** this.#failures, MAX_RETRY_MS);
    this.#failures += 1;
    // Not all processes at once.
    this.#retry = setTimeout(() => void this.#connect(), wait * (0.5 + Math.random() / 2));
    this.#retry.unref();
  }
}

/** One connection. Each try has its own, so that nothing of a lost one is left. */
interface Link {
  readonly client: Redis;
  readonly watch: AnswerWatch;
  /** It has counted a first event. */
  isReady: boolean;
}

function silent(ms: number): Error {
  return new Error(`no answer within ${ms} ms`);
}

function openClient(url: string, connectTimeout: number): Redis {
  return new Redis(url, {
    lazyConnect: true,
    retryStrategy: () => null,
    maxRetriesPerRequest: 0,
    enableOfflineQueue: false,
    enableAutoPipelining: true,
    autoResendUnfulfilledCommands: false,
    connectTimeout,
    // An end that the other side must answer would keep callers waiting.
    disconnectTimeout: 0,
  });
}

async function run(
  client: Redis,
  keys: readonly string[],
  values: readonly (string | number)[],
): Promise<unknown> {
  try {
    return await client.evalsha(TAKE_SHA, keys.length, ...keys, ...values);
  } catch (error) {
    if (!(error instanceof Error && error.message.startsWith("NOSCRIPT"))) throw error;
    return client.eval(TAKE, keys.length, ...keys, ...values);
  }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return "for no known reason";
  return "code" in error && typeof error.code === "string" ? error.code : error.message;
}
