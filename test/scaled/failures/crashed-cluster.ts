import { join } from "node:path";
import { type Cluster, type Engines, startCluster } from "../../../scaled/cluster.ts";
import type { RelayProcess } from "../../../scaled/relay-process.ts";
import type { CrashedRelay } from "../../crash/sender.ts";
import { ClusterRelay } from "./cluster-relay.ts";
import { ClusterStores } from "./cluster-stores.ts";
import { HURRIED_SWEEPS, ROOMY_SETTINGS } from "./roomy-settings.ts";

/** How `runCrashes` kills them: each life of a relay is longer, and there are fewer. */
export const CLUSTER_RUN = {
  open: (folder: string, random: () => number) =>
    CrashedCluster.start(join(folder, "compiled"), random),
  relayCycles: 6,
  importerCycles: 4,
  longestLifeMs: 1500,
};

/** Three relays behind haproxy, of which one at a time is killed. */
export class CrashedCluster extends ClusterRelay implements CrashedRelay {
  readonly stores: ClusterStores;
  readonly cacheFolder: string;
  readonly #cluster: Cluster;
  readonly #random: () => number;
  #killed: RelayProcess | undefined;
  #starting: Promise<unknown> = Promise.resolve();
  #kills = 0;

  private constructor(cluster: Cluster, cacheFolder: string, random: () => number) {
    super(cluster.url);
    this.#cluster = cluster;
    this.stores = new ClusterStores(cluster);
    this.cacheFolder = cacheFolder;
    this.#random = random;
  }

  /** @param cacheFolder for modules that other processes compile @param random chooses who is killed */
  static async start(
    cacheFolder: string,
    random: () => number,
    engines?: Engines,
  ): Promise<CrashedCluster> {
    const cluster = await startCluster({
      ...(engines !== undefined && { engines }),
      settings: ROOMY_SETTINGS,
      each: () => ({ preload: [HURRIED_SWEEPS] }),
    });
    return new CrashedCluster(cluster, cacheFolder, random);
  }

  get kills(): number {
    return this.#kills;
  }

  async kill(): Promise<void> {
    const { relays } = this.#cluster;
    this.#killed ??= this.#cluster.relay(Math.floor(this.#random() * relays.length));
    await this.#killed.kill();
    this.#kills += 1;
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
    await this.#cluster[Symbol.asyncDispose]();
  }
}
