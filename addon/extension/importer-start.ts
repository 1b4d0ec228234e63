import type { RunningImporter } from "../control/open-importer.ts";

/** An extension's importer: started with Live, awaited at each click (rule H9). */
export class ImporterStart {
  readonly #start: () => Promise<RunningImporter>;
  #running: Promise<RunningImporter> | undefined;
  #isClosed = false;

  constructor(start: () => Promise<RunningImporter>) {
    this.#start = start;
  }

  /** Starts in the background; `running` reports a failure. */
  begin(): void {
    this.running().catch(() => undefined);
  }

  /**
   * Resolves with the running importer; retries a failed start.
   * @throws {Error} with a sentence when it can't be started
   */
  async running(): Promise<RunningImporter> {
    if (this.#isClosed) throw new Error("Soundferry is closing.");
    this.#running ??= this.#start();
    try {
      return await this.#running;
    } catch (error) {
      this.#running = undefined;
      throw error;
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const running = await this.#running?.catch(() => undefined);
    await running?.close();
  }
}
