import { join } from "node:path";
import { Checks } from "../../crash/checks.ts";
import { checkMusician } from "../../crash/check-musician.ts";
import { Ledger } from "../../crash/ledger.ts";
import type { CrashSite } from "../../crash/sender.ts";
import { Musician } from "../../relay/crash/musician.ts";
import { randomFrom } from "../../relay/crash/random.ts";
import { ClusterRelay } from "./cluster-relay.ts";

const MUSICIANS = 4;

/** Musicians who send and import without a break, and a ledger of what they were told, in this process. */
export class Load implements AsyncDisposable {
  readonly relay: ClusterRelay;
  readonly #site: CrashSite<ClusterRelay>;
  readonly #ledger: Ledger;
  #stop = new AbortController();
  #work: Promise<unknown> = Promise.resolve();
  #names = 0;

  private constructor(relay: ClusterRelay, ledger: Ledger, seed: number) {
    this.relay = relay;
    this.#ledger = ledger;
    this.#site = { relay, ledger, checks: new Checks(), random: randomFrom(seed) };
  }

  /** @param folder for the ledger, which no engine touches */
  static async open(url: string, folder: string, seed: number): Promise<Load> {
    return new Load(new ClusterRelay(url), await Ledger.open(join(folder, "ledger.jsonl")), seed);
  }

  get facts(): number {
    return this.#ledger.facts;
  }

  get checks(): number {
    return this.#site.checks.count;
  }

  /** Each musician works until a call is lost; then somebody new begins. */
  begin(): void {
    this.#stop = new AbortController();
    const { signal } = this.#stop;
    this.#work = Promise.all(
      Array.from({ length: MUSICIANS }, async () => {
        while (!signal.aborted) {
          this.#names += 1;
          await new Musician(this.#site, `musician ${this.#names}`).workUntilLost(signal);
        }
      }),
    );
    // Awaited by `end`; until then a failure must not end the process.
    this.#work.catch(() => undefined);
  }

  /** Resolves once a call succeeded that was begun from now on, with the milliseconds. @throws what a musician found */
  async nextSuccess(): Promise<number> {
    const failed = this.#work.then(() => new Promise<never>(() => undefined));
    return Promise.race([this.relay.nextSuccess(), failed]);
  }

  /** Waits until the running calls are answered. @throws what a musician found to be wrong */
  async end(): Promise<void> {
    this.#stop.abort();
    await this.#work;
  }

  /** Compares everything that was acknowledged with what there is, and finishes what was interrupted. */
  async check(): Promise<void> {
    for (const { who } of this.#ledger.musicians) {
      await checkMusician(this.#site, who);
      await new Musician(this.#site, who).finishWhatWasLeft();
    }
  }

  /** How many sounds there must be. */
  get promisedSounds(): number {
    return this.#ledger.promisedSounds;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await this.#work.catch(() => undefined);
    await this.#ledger[Symbol.asyncDispose]();
  }
}
