import { InboxWatch } from "./inbox.ts";
import type { InboxPackage } from "../runs/importer-calls.ts";
import type { PackageFinder } from "./package-finder.ts";
import { Refresher } from "../concurrency/refresher.ts";
import { sentenceOf } from "../../core/text/sentence-of.ts";
import type { StateHolder } from "../state/state-store.ts";
import type { Timers } from "../concurrency/timers.ts";

export interface InboxMirrorOptions {
  readonly inboxFolder: string;
  readonly finder: PackageFinder;
  readonly holder: StateHolder;
  readonly timers: Timers;
}

/** Keeps the state's local packages as the inbox folder has them (rule R5). */
export class InboxMirror {
  readonly #options: InboxMirrorOptions;
  readonly #refresher: Refresher;
  readonly #onTrouble: (error: unknown) => void;
  #watch: InboxWatch | undefined;

  constructor(options: InboxMirrorOptions) {
    const { holder, timers } = options;
    this.#options = options;
    this.#onTrouble = (error) => holder.change({ diskTrouble: sentenceOf(error) });
    this.#refresher = new Refresher({
      read: async () => void (await this.read()),
      onTrouble: this.#onTrouble,
      timers,
    });
  }

  /** Watches the folder from now on; resolves when every later change will be noticed. */
  async start(): Promise<void> {
    this.#watch = await InboxWatch.start(this.#options.inboxFolder, {
      onChange: () => this.refresh(),
      onTrouble: this.#onTrouble,
    });
  }

  /** Reads anew, soon. */
  refresh(): void {
    this.#refresher.ask();
  }

  async read(): Promise<readonly InboxPackage[]> {
    const { finder, holder } = this.#options;
    const local = await finder.readInbox();
    holder.change({ local, diskTrouble: null });
    return local;
  }

  async close(): Promise<void> {
    await Promise.all([this.#refresher.stop(), this.#watch?.[Symbol.asyncDispose]()]);
  }
}
