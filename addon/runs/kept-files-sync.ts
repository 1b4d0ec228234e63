import { clearKeptFiles, measureKeptFiles } from "../disk/kept-files.ts";
import type { ImportRuns } from "./import-runs.ts";
import { Refresher } from "../concurrency/refresher.ts";
import { sentenceOf } from "../../core/text/sentence-of.ts";
import type { StateStore } from "../state/state-store.ts";
import type { Timers } from "../concurrency/timers.ts";

export interface KeptFilesSyncDeps {
  readonly soundsFolder: string;
  readonly runs: Pick<ImportRuns, "runExclusive">;
  readonly store: StateStore;
  readonly timers: Timers;
}

/** Keeps in the state how much the sounds folder holds, and clears it; never while a run works (rule F6). */
export class KeptFilesSync {
  readonly #deps: KeptFilesSyncDeps;
  readonly #refresher: Refresher;

  constructor(deps: KeptFilesSyncDeps) {
    const { store, timers } = deps;
    this.#deps = deps;
    this.#refresher = new Refresher({
      read: () => this.#read(),
      onTrouble: (error) => store.change({ diskTrouble: sentenceOf(error) }),
      timers,
    });
  }

  /** Reads again, soon. */
  refresh(): void {
    this.#refresher.ask();
  }

  /** Deletes what no host plays; resolves when it is gone, and the state says so. */
  async clear(): Promise<void> {
    const { runs, soundsFolder } = this.#deps;
    await runs.runExclusive(() => clearKeptFiles(soundsFolder));
    await this.#read();
  }

  /** Resolves when nothing is read any more; a reading that waits for a run waits until that is over. */
  async close(): Promise<void> {
    await this.#refresher.stop();
  }

  async #read(): Promise<void> {
    const { runs, soundsFolder, store } = this.#deps;
    store.change({ keptFiles: await runs.runExclusive(() => measureKeptFiles(soundsFolder)) });
  }
}
