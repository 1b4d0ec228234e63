import type { ImportOutcome, ImportProgress } from "../core/protocol/import-outcome.ts";
import { ImportCancelledError } from "./import/import-errors.ts";
import { type ImportDeps, importPackage } from "./import/import-package.ts";
import type { ImportAllOptions, ImportOptions, PackageProgress } from "./importer-calls.ts";
import type { RunErrorCode, RunResult } from "./importer-state.ts";
import { keepLease } from "./link/lease-heartbeat.ts";
import type { FoundPackage } from "./package-finder.ts";
import { RunQueue } from "./run-queue.ts";
import { sentenceOf } from "./sentence-of.ts";
import type { StateHolder } from "./state-holder.ts";
import type { Timers } from "./timers.ts";

export interface ImportRunsOptions {
  readonly holder: StateHolder;
  readonly deps: ImportDeps;
  readonly timers: Timers;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** A run and everyone who follows it. */
interface SharedRun {
  readonly outcome: Promise<ImportOutcome>;
  readonly listeners: Set<(progress: PackageProgress) => void>;
  readonly cancel: () => void;
}

const RUN_ERROR_CODES: readonly RunErrorCode[] = ["ALREADY_PLACED", "RUN_ELSEWHERE", "CANCELLED"];

/** The import runs of one importer: one at a time, one for each package, all of them in the state. */
export class ImportRuns {
  readonly #options: ImportRunsOptions;
  readonly #queue = new RunQueue();
  readonly #shared = new Map<string, SharedRun>();

  constructor(options: ImportRunsOptions) {
    this.#options = options;
  }

  /** Imports a package, or joins the run of it that works or waits already. */
  run(found: FoundPackage, options: ImportOptions): Promise<ImportOutcome> {
    const known = this.#shared.get(found.packageId);
    const shared = known ?? this.#begin(found, options);
    if (options.onProgress !== undefined) shared.listeners.add(options.onProgress);
    return shared.outcome;
  }

  /** Does the same with a package that was never imported; undefined where it was by now. */
  async runIfNew(
    found: FoundPackage,
    options: ImportAllOptions,
  ): Promise<ImportOutcome | undefined> {
    if (!this.#shared.has(found.packageId)) {
      const { wasImported } = await this.#options.deps.journals.read(found.packageId);
      if (wasImported) return undefined;
    }
    return this.run(found, options);
  }

  /** Cancels the run of a package that works or waits; false where there is none. */
  cancel(packageId: string): boolean {
    const shared = this.#shared.get(packageId);
    shared?.cancel();
    return shared !== undefined;
  }

  /** Does something else with the sounds folder when its turn comes: no run works meanwhile. */
  alone<Outcome>(work: () => Promise<Outcome>): Promise<Outcome> {
    return this.#queue.run(work);
  }

  /** Cancels every run; resolves when the last one has let go. */
  close(): Promise<void> {
    return this.#queue.close();
  }

  #begin(found: FoundPackage, options: ImportOptions): SharedRun {
    const { packageId } = found;
    const listeners: SharedRun["listeners"] = new Set();
    const own = new AbortController();
    const cancel = () => own.abort(new ImportCancelledError());
    if (options.signal?.aborted) cancel();
    options.signal?.addEventListener("abort", cancel, { once: true });
    const terms = { ...options, signal: own.signal };
    const outcome = this.#follow(found, terms, listeners).finally(() => {
      options.signal?.removeEventListener("abort", cancel);
      this.#shared.delete(packageId);
    });
    const shared = { outcome, listeners, cancel };
    this.#shared.set(packageId, shared);
    return shared;
  }

  async #follow(
    found: FoundPackage,
    options: ImportOptions,
    listeners: SharedRun["listeners"],
  ): Promise<ImportOutcome> {
    const { holder, now } = this.#options;
    const { packageId, title } = found;
    const finish = (result: RunResult) =>
      holder.finishRun({ packageId, title, at: new Date(now()).toISOString(), result });
    holder.putRun({ packageId, title, progress: null });
    try {
      const outcome = await this.#import(found, options, (progress) => {
        holder.putRun({ packageId, title, progress });
        for (const listener of listeners) listener({ packageId, title, progress });
      });
      finish({ outcome });
      return outcome;
    } catch (error) {
      finish({ error: sentenceOf(error), code: codeOf(error) });
      throw error;
    }
  }

  async #import(
    { packageId, source }: FoundPackage,
    options: ImportOptions,
    onProgress: (progress: ImportProgress) => void,
  ): Promise<ImportOutcome> {
    const { deps, timers } = this.#options;
    let letGo: (() => void) | undefined;
    const follow = (progress: ImportProgress) => {
      if (progress.phase === "taken" && source.relay !== undefined) {
        letGo = keepLease({ packageId, runId: progress.runId }, source.relay, timers);
      }
      onProgress(progress);
    };
    try {
      return await this.#queue.run(
        (signal) => importPackage(source, deps, { ...options, signal, onProgress: follow }),
        options.signal,
      );
    } finally {
      letGo?.();
    }
  }
}

function codeOf(error: unknown): RunErrorCode | null {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return RUN_ERROR_CODES.find((each) => each === code) ?? null;
}
