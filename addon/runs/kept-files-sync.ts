import { toDiskError } from "../disk/disk-error.ts";
import { clearKeptFiles, measureKeptFiles } from "../disk/kept-files.ts";
import type { SoundsFolder } from "../disk/sounds-folder.ts";
import type { ImportRuns } from "./import-runs.ts";
import { Refresher } from "../../core/importer/refresher.ts";
import { sentenceOf } from "../../core/text/sentence-of.ts";
import type { StateStore } from "../state/state-store.ts";
import type { Timers } from "../timers.ts";

export interface KeptFilesSyncDeps {
  readonly sounds: Pick<SoundsFolder, "path">;
  readonly runs: Pick<ImportRuns, "runExclusive">;
  readonly store: StateStore;
  readonly timers: Timers;
}

/** Measures the sounds folder for the state and clears it, never during a run (rule F6). */
export class KeptFilesSync {
  readonly #deps: KeptFilesSyncDeps;
  readonly #refresher: Refresher;

  constructor(deps: KeptFilesSyncDeps) {
    const { store, timers } = deps;
    this.#deps = deps;
    this.#refresher = new Refresher({
      read: () => this.#read(),
      onTrouble: (error) => store.change({ diskTrouble: sentenceOf(toDiskError(error)) }),
      timers,
    });
  }

  /** Schedules a new measurement. */
  refresh(): void {
    this.#refresher.refresh();
  }

  /** Deletes the files that no host plays and updates the state. */
  async clear(): Promise<void> {
    const { runs, sounds } = this.#deps;
    await runs.runExclusive(() => clearKeptFiles(sounds.path));
    await this.#read();
  }

  /** Waits for a measurement that is queued behind a run. */
  close(): Promise<void> {
    return this.#refresher.stop();
  }

  async #read(): Promise<void> {
    const { runs, sounds, store } = this.#deps;
    store.change({ keptFiles: await runs.runExclusive(() => measureKeptFiles(sounds.path)) });
  }
}
