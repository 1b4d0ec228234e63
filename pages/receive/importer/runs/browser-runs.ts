import { randomId } from "../../../../client/wire/random-id.ts";
import { ImportCancelledError, runErrorCode } from "../../../../core/importer/import-errors.ts";
import { isRunElsewhere } from "../../../../core/importer/relay-errors.ts";
import { panelOutcomeOf } from "../../../../core/panel/panel-plan.ts";
import type { ImportablePackage } from "../../../../core/protocol/importer-api.ts";
import type { ImportOutcome } from "../../../../core/protocol/import-outcome.ts";
import type {
  ImportRequest,
  PanelFinishedRun,
  PanelRun,
  PanelRunError,
} from "../../../../core/protocol/panel-api.ts";
import { receiveSentence } from "../../../../core/protocol/receive-sentences.ts";
import { runSentence } from "../../../../core/protocol/run-sentences.ts";
import { soundResults } from "../../../../core/report/import-outcome.ts";
import { sentenceOf } from "../../../../core/text/sentence-of.ts";
import { ViewStore } from "../../../../core/view-store.ts";
import type { Downloads } from "../download/downloads.ts";
import type { ReceiveDatabase, StoredReport, StoredRun } from "../receive-database.ts";
import type { RelayCalls } from "../relay/relay-calls.ts";
import type { SaveTarget } from "../save/package-to-save.ts";
import { ReceiveRun } from "./receive-run.ts";

interface RunsView {
  /** The active run, then queued ones. */
  readonly runs: readonly PanelRun[];
  /** Finished ones, newest first. */
  readonly finished: readonly PanelFinishedRun[];
}

export interface BrowserRunsDeps {
  readonly database: ReceiveDatabase;
  readonly calls: RelayCalls;
  readonly downloads: Downloads;
  /** Finds a package at the relay; undefined if it isn't there any more. */
  readonly find: (packageId: string) => ImportablePackage | undefined;
  readonly colorTurnOf: (packageId: string) => number;
  /** Returns the place for one import. */
  readonly target: () => SaveTarget;
  /** Called once a run has ended and its report is stored. */
  readonly onEnd: (packageId: string) => Promise<void>;
}

interface Queued {
  readonly stored: StoredRun;
  readonly isForced: boolean;
  readonly cancel: AbortController;
}

/**
 * The imports of one tab, one after another. Each is written down before it begins, so that it goes on after the tab was
 * killed (rule RC6), and its report is stored in the step that ends it (rule R2).
 */
export class BrowserRuns extends ViewStore<RunsView> {
  readonly #deps: BrowserRunsDeps;
  readonly #queue: Queued[] = [];
  #working: Promise<void> | undefined;
  #isClosed = false;

  constructor(deps: BrowserRunsDeps) {
    super({ runs: [], finished: [] });
    this.#deps = deps;
  }

  /** Shows what ended before, and queues what didn't. Call it once the packages are known. */
  async resume(): Promise<void> {
    const finished = await this.#deps.database.finished();
    this.change({ finished: finished.toSorted((one, other) => (one.at < other.at ? 1 : -1)) });
    for (const stored of await this.#deps.database.runs()) {
      if (!stored.isOver) this.#enqueue({ stored, isForced: false, cancel: new AbortController() });
    }
  }

  /** Queues an import. Resolves once it is written down. @throws {Error} with a sentence, when it can't begin */
  async begin(request: ImportRequest, isOfAll = false): Promise<void> {
    const { packageId, soundIds, takeOver = false, again = false, host } = request;
    if (host !== undefined) throw new Error(receiveSentence("RECEIVE_NOT_HERE"));
    if (soundIds?.length === 0) throw new Error(runSentence("NONE_CHOSEN"));
    const listed = this.#deps.find(packageId);
    if (listed === undefined) throw new Error(runSentence("NOT_AT_RELAY", { id: packageId }));
    const { title } = listed.manifest;
    if (this.#queue.some(({ stored }) => stored.packageId === packageId)) {
      throw new Error(runSentence("OTHER_SOUNDS_RUN", { title }));
    }
    const before = (await this.#deps.database.runs()).find((run) => run.packageId === packageId);
    const chosen = soundIds ?? (again ? undefined : leftOutOf(listed));
    const stored: StoredRun = {
      packageId,
      // The lease of an earlier run that didn't end well may still hold.
      runId: before?.runId ?? randomId(),
      title,
      isOfAll,
      isOver: false,
      ...(chosen !== undefined && { soundIds: chosen }),
    };
    await this.#deps.database.putRun(stored);
    this.#enqueue({ stored, isForced: takeOver, cancel: new AbortController() });
  }

  /** Cancels a package's import, if there is one. What was downloaded stays for the next one. */
  cancel(packageId: string): void {
    for (const { stored, cancel } of this.#queue) {
      if (stored.packageId === packageId) cancel.abort(new ImportCancelledError());
    }
  }

  /** Cancels what *Import all* began. */
  stopAll(): void {
    for (const { stored } of this.#queue) if (stored.isOfAll) this.cancel(stored.packageId);
  }

  isRunning(packageId: string): boolean {
    return this.#queue.some(({ stored }) => stored.packageId === packageId);
  }

  /** Stops without an end: the next tab goes on. Resolves when nothing runs any more. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const { cancel } of this.#queue) cancel.abort(new ImportCancelledError());
    await this.#working;
  }

  #enqueue(queued: Queued): void {
    this.#queue.push(queued);
    const { packageId, title, soundIds, isOfAll } = queued.stored;
    const shown: PanelRun = {
      packageId,
      title,
      ...(soundIds !== undefined && { soundIds }),
      ...(isOfAll && { isOfAll }),
      progress: null,
      sounds: {},
    };
    this.change({ runs: [...this.view.runs, shown] });
    this.#working ??= this.#work().finally(() => (this.#working = undefined));
  }

  async #work(): Promise<void> {
    for (let next = this.#queue[0]; next !== undefined; next = this.#queue[0]) {
      if (this.#isClosed) return;
      await this.#run(next);
      this.#queue.shift();
      const { packageId } = next.stored;
      this.change({ runs: this.view.runs.filter((run) => run.packageId !== packageId) });
    }
  }

  async #run(queued: Queued): Promise<void> {
    const { packageId, title, soundIds } = queued.stored;
    let report: StoredReport | undefined;
    let result: PanelFinishedRun["result"];
    try {
      const outcome = await this.#import(queued);
      result = { outcome: panelOutcomeOf(outcome, outcome.folder) };
      report = this.#reportOf(queued.stored, outcome);
    } catch (error) {
      if (this.#isClosed) return;
      result = errorOf(error);
    }
    const at = new Date().toISOString();
    const chosen = soundIds !== undefined && { soundIds };
    const ended: PanelFinishedRun = { packageId, title, at, ...chosen, result };
    await this.#deps.database.endRun(ended, report);
    if ("error" in result) await this.#deps.database.putRun({ ...queued.stored, isOver: true });
    const others = this.view.finished.filter((run) => run.packageId !== packageId);
    this.change({ finished: [ended, ...others] });
    await this.#deps.onEnd(packageId);
  }

  async #import({ stored, isForced, cancel }: Queued): Promise<ImportOutcome> {
    const { calls, downloads, find, colorTurnOf, target } = this.#deps;
    const { packageId } = stored;
    const { signal } = cancel;
    signal.throwIfAborted();
    const listed = find(packageId);
    if (listed === undefined) throw new Error(runSentence("NOT_AT_RELAY", { id: packageId }));
    const run = new ReceiveRun(listed, stored, {
      calls,
      downloads,
      colorTurn: colorTurnOf(packageId),
      target: target(),
      onProgress: (progress) => this.#show(packageId, { progress }),
      onSounds: (sounds) => this.#show(packageId, { sounds }),
      signal,
      isForced,
    });
    return run.import().catch((error: unknown) => {
      signal.throwIfAborted();
      throw error;
    });
  }

  /** Returns what the relay is to know; nothing where an earlier report stands (rule R7). */
  #reportOf({ packageId }: StoredRun, outcome: ImportOutcome): StoredReport | undefined {
    const results = soundResults(outcome.tracks);
    const earlier = Object.values(this.#deps.find(packageId)?.results ?? {});
    const stands = earlier.some(({ status }) => status === "imported");
    if (outcome.tracks.every(({ earlier: isOld, status }) => isOld || status !== "imported")) {
      if (stands) return undefined;
    }
    return { packageId, results, isRefused: false };
  }

  #show(packageId: string, change: Partial<PanelRun>): void {
    const runs = this.view.runs.map((run) => {
      return run.packageId === packageId ? Object.assign({}, run, change) : run;
    });
    this.change({ runs });
  }
}

/** Returns the sounds that an earlier import left out, where it took others (rule R10). */
function leftOutOf({ manifest, results = {} }: ImportablePackage): readonly string[] | undefined {
  const ids = manifest.items.map(({ id }) => id);
  const left = ids.filter((id) => results[id]?.status !== "imported");
  return left.length === 0 || left.length === ids.length ? undefined : left;
}

function errorOf(error: unknown): PanelRunError {
  const code = isRunElsewhere(error) ? "RUN_ELSEWHERE" : runErrorCode(error);
  return { error: sentenceOf(error), code };
}
