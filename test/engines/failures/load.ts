import { App } from "../../sim/app.ts";
import { checkApp } from "../../sim/check-app.ts";
import { untilLost, type World } from "../../sim/world.ts";
import type { ClusterRelay } from "./cluster-relay.ts";

const APPS = 4;

/** Apps that send and import without a break. */
export class Load {
  readonly #world: World<ClusterRelay>;
  readonly #stop = new AbortController();
  readonly #work: Promise<unknown>;

  /** Each app works until a call is lost; then somebody new begins. */
  constructor(world: World<ClusterRelay>) {
    this.#world = world;
    const load = world.ledger.musicians.length;
    let names = 0;
    const work = async () => {
      while (!this.#stop.signal.aborted) {
        const app = new App(world, `load ${load} musician ${(names += 1)}`);
        await untilLost(() => app.begin().then(() => app.work(this.#stop)));
      }
    };
    this.#work = Promise.all(Array.from({ length: APPS }, work));
    // Awaited by `end`; until then a failure must not end the process.
    this.#work.catch(() => undefined);
  }

  /** Resolves once a call succeeded that was begun from now on, with the milliseconds. @throws what an app found */
  nextSuccess(): Promise<number> {
    const failed = this.#work.then(() => new Promise<never>(() => undefined));
    return Promise.race([this.#world.relay.nextSuccess(), failed]);
  }

  /** Waits until the running calls are answered. @throws what an app found to be wrong */
  async end(): Promise<void> {
    this.#stop.abort();
    await this.#work;
  }
}

/** Compares everything that was acknowledged with what there is, and finishes what was interrupted. */
export async function checkAndFinish(world: World<ClusterRelay>): Promise<void> {
  for (const { who } of world.ledger.musicians) {
    await checkApp(world, who);
    await new App(world, who).finishAll();
  }
}
