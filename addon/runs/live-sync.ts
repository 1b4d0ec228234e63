import { isDeepStrictEqual } from "node:util";
import { sentenceOf } from "../../core/text/sentence-of.ts";
import { Refresher } from "../concurrency/refresher.ts";
import type { Timers } from "../concurrency/timers.ts";
import type { LiveSetup } from "../hosts/live-setup.ts";
import type { LiveCheck } from "./live-check.ts";
import type { StateStore } from "../state/state-store.ts";

/** How often the control surface is looked at while a panel is open. */
const LOOK_MS = 2000;

export interface LiveSyncDeps {
  readonly setup: LiveSetup | undefined;
  readonly check: LiveCheck;
  readonly store: StateStore;
  readonly timers: Timers;
}

/** Keeps Live's control surface in the state while somebody watches it, and installs its script. */
export class LiveSync {
  readonly #deps: LiveSyncDeps;
  readonly #refresher: Refresher;
  #watchers = 0;
  #cancelLook = () => {};

  constructor(deps: LiveSyncDeps) {
    const { store, timers } = deps;
    this.#deps = deps;
    this.#refresher = new Refresher({
      read: () => this.#read(),
      onTrouble: (error) => store.change({ diskTrouble: sentenceOf(error) }),
      timers,
    });
  }

  /** “Check this Live” (rule H21). */
  get check(): LiveCheck {
    return this.#deps.check;
  }

  /** Looks again and again until the returned function is called; several watchers share the looks. */
  watch(): () => void {
    if (this.#deps.setup === undefined) return () => {};
    this.#watchers += 1;
    if (this.#watchers === 1) this.#look();
    let isWatching = true;
    return () => {
      if (!isWatching) return;
      isWatching = false;
      this.#watchers -= 1;
      if (this.#watchers === 0) this.#cancelLook();
    };
  }

  /**
   * Installs the script and looks again; false where the importer can't.
   * @throws {Error} with a sentence
   */
  async install(): Promise<boolean> {
    const { setup } = this.#deps;
    if (setup?.install === undefined) return false;
    await setup.install();
    await this.#read();
    return true;
  }

  async close(): Promise<void> {
    this.#cancelLook();
    await Promise.all([this.#deps.check.close(), this.#refresher.stop()]);
  }

  #look(): void {
    this.#refresher.refresh();
    this.#cancelLook = this.#deps.timers.after(LOOK_MS, () => this.#look());
  }

  async #read(): Promise<void> {
    const { setup, store } = this.#deps;
    const live = (await setup?.look()) ?? null;
    if (!isDeepStrictEqual(live, store.state.live)) store.change({ live });
  }
}
