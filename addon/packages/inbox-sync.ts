import { InboxWatch } from "./inbox.ts";
import type { PackageFinder } from "./package-finder.ts";
import { Refresher } from "../concurrency/refresher.ts";
import { sentenceOf } from "../../core/text/sentence-of.ts";
import type { InboxPackage } from "../state/importer-state.ts";
import type { ColorTurns } from "../state/color-turns.ts";
import type { StateStore } from "../state/state-store.ts";
import type { Timers } from "../concurrency/timers.ts";

export interface InboxSyncDeps {
  readonly inboxFolder: string;
  readonly finder: PackageFinder;
  readonly colorTurns: Pick<ColorTurns, "learn" | "known">;
  readonly store: StateStore;
  readonly timers: Timers;
}

/** Keeps the local packages in the state in sync with the inbox folder (rule R5). */
export class InboxSync {
  readonly #deps: InboxSyncDeps;
  readonly #refresher: Refresher;
  readonly #onTrouble: (error: unknown) => void;
  #watch: InboxWatch | undefined;

  constructor(deps: InboxSyncDeps) {
    const { store, timers } = deps;
    this.#deps = deps;
    // An inbox that can't be read isn't waited for: its list stays as it is.
    this.#onTrouble = (error) =>
      store.change({ local: store.state.local, diskTrouble: sentenceOf(error) });
    this.#refresher = new Refresher({
      read: async () => void (await this.read()),
      onTrouble: this.#onTrouble,
      timers,
    });
  }

  /** Starts to watch the folder; resolves once no later change can be missed. */
  async start(): Promise<void> {
    this.#watch = await InboxWatch.start(this.#deps.inboxFolder, {
      onChange: () => this.refresh(),
      onTrouble: this.#onTrouble,
    });
  }

  /** Reads the folder for each host that becomes the current one: the inbox says what it has. */
  followHost(): void {
    const { store } = this.#deps;
    let { name } = store.state.host;
    store.subscribe(({ host }) => {
      if (host.name === name) return;
      ({ name } = host);
      this.refresh();
    });
  }

  /** Reads the folder again in the background. */
  refresh(): void {
    this.#refresher.refresh();
  }

  async read(): Promise<readonly InboxPackage[]> {
    const { finder, colorTurns, store } = this.#deps;
    const local = await finder.readInbox();
    const found = local.filter((one) => "package_id" in one);
    const diskTrouble = await colorTurns.learn("inbox", found);
    store.change({ local, colorTurns: colorTurns.known, diskTrouble });
    return local;
  }

  async close(): Promise<void> {
    await Promise.all([this.#refresher.stop(), this.#watch?.[Symbol.asyncDispose]()]);
  }
}
