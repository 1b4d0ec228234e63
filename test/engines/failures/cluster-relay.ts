import { join } from "node:path";
import { type Cluster, type ClusterOptions, startCluster } from "../cluster.ts";
import type { RelayProcess } from "../relay-process.ts";
import { letPass } from "../../sim/real-time.ts";
import { HURRIED_SWEEPS, LONG_WINDOWS, ROOMY_LIMITS } from "../../sim/settings.ts";
import {
  type Answer,
  BrokenPromise,
  type CallOptions,
  type CrashedRelay,
  fetchAnswer,
  Lost,
} from "../../sim/world.ts";
import { ClusterStores } from "./cluster-stores.ts";

/** Longer than any part is away in these tests. */
const PATIENCE_MS = 120_000;

/** Options of `runCrashes` for a cluster: each life of a relay is longer, and there are fewer. */
export const CLUSTER_RUN = {
  open: (folder: string, random: () => number): Promise<ClusterRelay> =>
    ClusterRelay.start(join(folder, "compiled"), random),
  relayCycles: 6,
  importerCycles: 4,
  longestLifeMs: 1500,
};

/** Three relays behind haproxy, called as a patient app calls: what gets 503 with Retry-After is repeated. */
export class ClusterRelay implements CrashedRelay {
  readonly cluster: Cluster;
  readonly stores: ClusterStores;
  readonly cacheFolder: string;
  wasClockWrong = false;
  kills = 0;
  /** Calls that got 503 with Retry-After so far. */
  refused = 0;
  readonly #random: () => number;
  readonly #awaiting = new Set<{ readonly from: number; readonly resolve: (ms: number) => void }>();
  #killed: RelayProcess | undefined;
  #starting: Promise<unknown> = Promise.resolve();

  private constructor(cluster: Cluster, cacheFolder: string, random: () => number) {
    this.cluster = cluster;
    this.stores = new ClusterStores(cluster);
    this.cacheFolder = cacheFolder;
    this.#random = random;
  }

  /** @param cacheFolder for modules that other processes compile @param random chooses who is killed */
  static async start(
    cacheFolder: string,
    random: () => number,
    options: ClusterOptions = {},
  ): Promise<ClusterRelay> {
    const cluster = await startCluster({
      each: () => ({ preload: [HURRIED_SWEEPS] }),
      ...options,
      settings: { ...ROOMY_LIMITS, ...LONG_WINDOWS, ...options.settings },
    });
    return new ClusterRelay(cluster, cacheFolder, random);
  }

  get url(): string {
    return this.cluster.url;
  }

  /** Resolves with the milliseconds until a call succeeded that changed something and was begun from now on. */
  nextSuccess(): Promise<number> {
    const { promise, resolve, reject } = Promise.withResolvers<number>();
    const awaiting = { from: performance.now(), resolve };
    this.#awaiting.add(awaiting);
    const isLate = setTimeout(() => reject(new Error("No call succeeds.")), PATIENCE_MS);
    return promise.finally(() => {
      clearTimeout(isLate);
      this.#awaiting.delete(awaiting);
    });
  }

  async call(method: string, path: string, options: CallOptions = {}): Promise<Answer> {
    const end = performance.now() + PATIENCE_MS;
    for (let tries = 1; ; tries += 1) {
      const begun = performance.now();
      const signal = AbortSignal.timeout(PATIENCE_MS);
      const answer = await fetchAnswer(this.url + path, { method, ...options, signal }).catch(
        (error: unknown) => {
          throw new Lost(`${method} ${path}`, { cause: error });
        },
      );
      const { status, retryAfter } = answer;
      if (status < 300 && method !== "GET") this.#succeeded(begun);
      // What an earlier try has done is not known, so this answer may be about that.
      if (status < 500 && status >= 400 && tries > 1)
        throw new Lost(`${method} ${path}: ${status}`);
      if (status < 500) return answer;
      // The proxy says 502 or 504 for a relay that was killed while it worked.
      const isPromised =
        (status === 503 && retryAfter !== undefined) || [502, 504].includes(status);
      if (!isPromised || performance.now() > end) {
        throw new BrokenPromise(`${method} ${path}: ${status} ${String(answer.body)}`);
      }
      this.refused += 1;
      await letPass(200 + this.#random() * 200);
    }
  }

  #succeeded(begun: number): void {
    for (const { from, resolve } of this.#awaiting) {
      if (begun >= from) resolve(performance.now() - from);
    }
  }

  /** Kills one of them, or the same again while it starts. */
  async kill(): Promise<void> {
    const { relays } = this.cluster;
    this.#killed ??= this.cluster.relay(Math.floor(this.#random() * relays.length));
    await this.#killed.kill();
    this.kills += 1;
    await this.#starting;
  }

  beginRestart(): void {
    // A start that is killed fails; any other failure is that of the next start, too.
    this.#starting = Promise.allSettled([this.#killed?.start()]);
  }

  async restart(): Promise<void> {
    await this.#killed?.start();
    this.#killed = undefined;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.cluster[Symbol.asyncDispose]();
  }
}
