import type { ImportOutcome } from "../../core/protocol/import-outcome.ts";
import type { PanelStart } from "../../core/protocol/panel-api.ts";
import { sentenceOf } from "../../core/text/sentence-of.ts";
import type { ParsedImportRequest } from "../control/import-request.ts";
import type { RunningImporter } from "../control/open-importer.ts";
import { panelStateOf } from "../control/panel-state.ts";
import { askInPanel, showSentence, type Pause } from "./panel-dialog.ts";
import { underProgressDialog } from "./progress-dialog.ts";
import type { HostPlace } from "../hosts/host.ts";
import type { LiveUi } from "../hosts/live/sdk/live-api.ts";
import { ImportCancelledError } from "../../core/importer/import-errors.ts";

export interface ImportCommandsDeps {
  readonly ui: LiveUi;
  readonly panelPage: string;
  /** Live's language, such as `de`; undefined where Live doesn't say. */
  readonly language?: string | undefined;
  readonly start: ImporterStart;
  /** Waits before a dialog is tried again. */
  readonly pause?: Pause | undefined;
  /** Returns the scene's place for a menu's target; undefined for the end. */
  readonly placeOf: (target: unknown) => HostPlace | undefined;
}

/**
 * The commands in Live's menus: show the panel in a dialog, import under Live's progress dialog, and show
 * the panel again if the result is worth seeing. They never throw.
 */
export class ImportCommands {
  readonly #deps: ImportCommandsDeps;

  constructor(deps: ImportCommandsDeps) {
    this.#deps = deps;
  }

  /** Runs “Import…”: the person chooses in the panel. */
  async choose(target: unknown): Promise<void> {
    await this.#showingErrors(async (running) => this.#showPanel(running, target));
  }

  /** Runs “Import Newest”: imports the top new package of the panel's list, or shows the panel if there is none. */
  async importNewest(target: unknown): Promise<void> {
    await this.#showingErrors(async (running) => {
      const { importer } = running;
      const isNew = new Set(await importer.listNew());
      const { packages } = panelStateOf(importer.state, Date.now());
      const newest = packages.find((one) => isNew.has(one.packageId));
      if (newest === undefined) return this.#showPanel(running, target);
      const { packageId } = newest;
      const isWorthSeeing = await this.#import(running, { packageId, options: {} }, target);
      if (isWorthSeeing) await this.#showPanel(running, target, packageId);
    });
  }

  /** Shows the panel, imports the chosen package, and repeats while there is a result to see. */
  async #showPanel(
    running: RunningImporter,
    target: unknown,
    showResultOf?: string,
  ): Promise<void> {
    const request = await this.#ask(running, showResultOf);
    if (request === undefined) return;
    const isWorthSeeing = await this.#import(running, request, target);
    if (isWorthSeeing) await this.#showPanel(running, target, request.packageId);
  }

  async #ask(running: RunningImporter, showResultOf: string | undefined) {
    const { ui, panelPage, language, pause } = this.#deps;
    const { importer, port, secret } = running;
    await importer.lookAtHost();
    const start: PanelStart = {
      address: `http://127.0.0.1:${port}`,
      secret,
      isDialog: true,
      ...(language !== undefined && { language }),
      state: panelStateOf(importer.state, Date.now()),
      ...(showResultOf !== undefined && { showResultOf }),
    };
    return askInPanel(ui, panelPage, start, pause);
  }

  /**
   * Imports a package; returns whether the person should see the result in the panel.
   * @throws {Error} with a sentence when the run didn't start
   */
  async #import(
    { importer }: RunningImporter,
    { packageId, options }: ParsedImportRequest,
    target: unknown,
  ): Promise<boolean> {
    const { ui, placeOf } = this.#deps;
    const after = placeOf(target);
    try {
      const outcome = await underProgressDialog(ui, "Importing from Soundferry", (progressDialog) =>
        importer.import(packageId, {
          ...options,
          ...(after !== undefined && { after }),
          signal: progressDialog.signal,
          onProgress: ({ progress }) => progressDialog.onProgress(progress),
        }),
      );
      return isWorthSeeing(outcome);
    } catch (error) {
      if (error instanceof ImportCancelledError) return false;
      const [last] = importer.state.finished;
      if (last?.packageId === packageId && "error" in last.result) return true;
      throw error;
    }
  }

  /** Starts the importer if needed, runs `work`, and shows errors in a dialog. */
  async #showingErrors(work: (running: RunningImporter) => Promise<void>): Promise<void> {
    try {
      await work(await this.#deps.start.running());
    } catch (error) {
      const { ui, pause } = this.#deps;
      await showSentence(ui, sentenceOf(error), pause).catch(() => undefined);
    }
  }
}

/** Returns whether a person should see the result: an import without differences needs no dialog. */
function isWorthSeeing({ tracks }: ImportOutcome): boolean {
  return tracks.some(({ status, differences }) => status !== "imported" || differences.length > 0);
}

/** The extension's importer, which starts with Live and is awaited at each click (rule H9). */
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
