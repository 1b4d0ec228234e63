import { clearKeptFiles, measureKeptFiles } from "../disk/kept-files.ts";
import type { ImportRuns } from "./import-runs.ts";
import { Refresher } from "../concurrency/refresher.ts";
import { sentenceOf } from "../../core/text/sentence-of.ts";
import type { StateHolder } from "../state/state-store.ts";
import type { Timers } from "../concurrency/timers.ts";

export interface KeptFilesMirrorOptions {
  readonly soundsFolder: string;
  readonly runs: ImportRuns;
  readonly holder: StateHolder;
  readonly timers: Timers;
}

/** Keeps in the state how much the sounds folder holds, and clears it; never while a run works (rule F6). */
export class KeptFilesMirror {
  readonly #options: KeptFilesMirrorOptions;
  readonly #refresher: Refresher;

  constructor(options: KeptFilesMirrorOptions) {
    const { holder, timers } = options;
    this.#options = options;
    this.#refresher = new Refresher({
      read: () => this.#read(),
      onTrouble: (error) => holder.change({ diskTrouble: sentenceOf(error) }),
      timers,
    });
  }

  /** Reads anew, soon. */
  refresh(): void {
    this.#refresher.ask();
  }

  /** Deletes what no host plays; resolves when it is gone, and the state says so. */
  async clear(): Promise<void> {
    const { runs, soundsFolder } = this.#options;
    await runs.alone(() => clearKeptFiles(soundsFolder));
    await this.#read();
  }

  /** Resolves when nothing is read any more; a reading that waits for a run waits until that is over. */
  async close(): Promise<void> {
    await this.#refresher.stop();
  }

  async #read(): Promise<void> {
    const { runs, soundsFolder, holder } = this.#options;
    holder.change({ keptFiles: await runs.alone(() => measureKeptFiles(soundsFolder)) });
  }
}
