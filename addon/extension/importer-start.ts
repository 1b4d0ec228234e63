import type { RunningImporter } from "../control/open-importer.ts";

/** The importer of an extension: begun when Live starts, asked for at each click (rule H9). */
export class ImporterStart {
  readonly #start: () => Promise<RunningImporter>;
  #running: Promise<RunningImporter> | undefined;
  #isClosed = false;

  constructor(start: () => Promise<RunningImporter>) {
    this.#start = start;
  }

  /** Begins in the background. A failure is reported to later callers. */
  begin(): void {
    this.running().catch(() => undefined);
  }

  /**
   * The importer, once it runs. A start that failed is made once more for each who asks.
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
