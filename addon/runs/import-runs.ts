import type { ImportOutcome } from "../../core/protocol/import-outcome.ts";
import type { Host } from "../hosts/host.ts";
import { ImportCancelledError, RunRefusal } from "./import-errors.ts";
import { type ImportDeps, importPackage, type RunOptions } from "./import-package.ts";
import { chooseSounds } from "./run-choice.ts";
import type { ImportAllOptions, ImportOptions, PackageProgress } from "./import-options.ts";
import type { Run, RunErrorCode, RunResult } from "../state/importer-state.ts";
import type { FoundPackage } from "../packages/package-finder.ts";
import { RunQueue } from "./run-queue.ts";
import { sentenceOf } from "../../core/text/sentence-of.ts";
import type { StateStore } from "../state/state-store.ts";
import type { Timers } from "../timers.ts";

export interface ImportRunsDeps {
  readonly store: StateStore;
  /** Runs at other hosts carry `otherHost` in the state. */
  readonly ownHosts: readonly Host[];
  readonly importDeps: Omit<ImportDeps, "host">;
  readonly timers: Timers;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

interface RunRequest {
  readonly found: FoundPackage;
  readonly host: Host;
  /** Ids of the chosen sounds, in the package's order; absent where nobody chose. */
  readonly soundIds?: readonly string[];
}

/** A run with all its listeners. */
interface SharedRun extends RunRequest {
  readonly outcome: Promise<ImportOutcome>;
  readonly listeners: Set<(progress: PackageProgress) => void>;
  readonly cancel: () => void;
}

const RUN_ERROR_CODES: readonly RunErrorCode[] = [
  "ALREADY_PLACED",
  "RUN_ELSEWHERE",
  "CANCELLED",
  "CONNECTION_LOST",
];

/** An importer's runs: one at a time, deduplicated by package and host, recorded in the state. */
export class ImportRuns {
  readonly #deps: ImportRunsDeps;
  readonly #queue = new RunQueue();
  readonly #shared = new Set<SharedRun>();

  constructor(deps: ImportRunsDeps) {
    this.#deps = deps;
  }

  /**
   * Imports a package into a host, or joins the queued or active run that already does.
   * @throws {RunRefusal} at once, when the choice of sounds is wrong, or a run of the package has another one
   */
  run(found: FoundPackage, host: Host, options: ImportOptions): Promise<ImportOutcome> {
    const request = { found, host, ...choiceOf(found, options) };
    const shared = this.#find(request, options);
    if (shared !== undefined && !includesChoice(shared, request)) {
      throw new RunRefusal(
        "IMPORT_RUNS",
        `Other sounds of ${found.title} are being imported. Try again after that.`,
      );
    }
    return follow(shared ?? this.#begin(request, options), options);
  }

  /**
   * Like `run`, but returns undefined for a package that was already imported into the host, and joins a run with any
   * choice of sounds.
   */
  async runIfNew(
    found: FoundPackage,
    host: Host,
    options: ImportAllOptions,
  ): Promise<ImportOutcome | undefined> {
    const request = { found, host };
    if (this.#find(request, options) === undefined) {
      const { importedInto } = await this.#deps.importDeps.journals.read(found.packageId);
      if (importedInto.has(host.name)) return undefined;
    }
    return follow(this.#find(request, options) ?? this.#begin(request, options), options);
  }

  /** Whether a run of the package is queued or active, at any host. */
  isRunning(packageId: string): boolean {
    return this.#runsOf(packageId).length > 0;
  }

  /** Cancels a package's queued and active runs at every host; false where there are none. */
  cancel(packageId: string): boolean {
    const runs = this.#runsOf(packageId);
    for (const run of runs) run.cancel();
    return runs.length > 0;
  }

  /** Queues other work on the sounds folder: no run is active meanwhile. */
  runExclusive<Outcome>(work: () => Promise<Outcome>): Promise<Outcome> {
    return this.#queue.run(work);
  }

  /** Cancels every run; resolves when the last one has stopped. */
  close(): Promise<void> {
    return this.#queue.close();
  }

  /** A call that names no host joins a run at any of the own hosts. */
  #find({ found, host }: RunRequest, options: ImportAllOptions): SharedRun | undefined {
    const runs = this.#runsOf(found.packageId);
    const joinsAnyOwn = options.host === undefined && this.#isOwn(host);
    return runs.find((run) => run.host === host || (joinsAnyOwn && this.#isOwn(run.host)));
  }

  #runsOf(packageId: string): readonly SharedRun[] {
    return [...this.#shared].filter(({ found }) => found.packageId === packageId);
  }

  #isOwn(host: Host): boolean {
    return this.#deps.ownHosts.includes(host);
  }

  #begin(request: RunRequest, options: ImportOptions): SharedRun {
    const listeners: SharedRun["listeners"] = new Set();
    const own = new AbortController();
    const cancel = () => own.abort(new ImportCancelledError());
    if (options.signal?.aborted) cancel();
    options.signal?.addEventListener("abort", cancel, { once: true });
    const linked = { ...options, signal: own.signal };
    const outcome = this.#follow(request, linked, listeners).finally(() => {
      options.signal?.removeEventListener("abort", cancel);
      this.#shared.delete(shared);
    });
    const shared = { ...request, outcome, listeners, cancel };
    this.#shared.add(shared);
    return shared;
  }

  async #follow(
    request: RunRequest,
    options: ImportOptions,
    listeners: SharedRun["listeners"],
  ): Promise<ImportOutcome> {
    const { store, now } = this.#deps;
    const { found, soundIds } = request;
    const { packageId, title } = found;
    // Two runs of a package at two own hosts must differ in the state.
    const isSecond = this.#runsOf(packageId).some(({ host }) => this.#isOwn(host));
    const isOther = !this.#isOwn(request.host) || isSecond;
    const run = {
      packageId,
      title,
      ...(isOther && { otherHost: request.host.name }),
      ...(soundIds !== undefined && { soundIds }),
    };
    const finish = (result: RunResult) =>
      store.finishRun({ ...run, at: new Date(now()).toISOString(), result });
    let shown: Pick<Run, "progress" | "sounds"> = { progress: null, sounds: {} };
    const show = (change: Partial<typeof shown>) => {
      shown = { ...shown, ...change };
      store.putRun({ ...run, ...shown });
    };
    show({});
    try {
      const outcome = await this.#import(request, options, {
        onSounds: (sounds) => show({ sounds }),
        onProgress: (progress) => {
          show({ progress });
          for (const listener of listeners) listener({ packageId, title, progress });
        },
      });
      finish({ outcome });
      return outcome;
    } catch (error) {
      finish({ error: sentenceOf(error), code: codeOf(error) });
      throw error;
    }
  }

  #import(
    { found: { source }, host, soundIds }: RunRequest,
    options: ImportOptions,
    listeners: Required<Pick<RunOptions, "onSounds" | "onProgress">>,
  ): Promise<ImportOutcome> {
    const { timers, importDeps } = this.#deps;
    const deps = { ...importDeps, host, timers };
    return this.#queue.run(
      (signal) => importPackage(source, deps, { ...options, ...listeners, soundIds, signal }),
      options.signal,
    );
  }
}

function codeOf(error: unknown): RunErrorCode | null {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return RUN_ERROR_CODES.find((each) => each === code) ?? null;
}

function follow(run: SharedRun, { onProgress }: ImportAllOptions): Promise<ImportOutcome> {
  if (onProgress !== undefined) run.listeners.add(onProgress);
  return run.outcome;
}

/** @throws {RunRefusal} when the choice is wrong */
function choiceOf({ source }: FoundPackage, { only }: ImportOptions): Pick<RunRequest, "soundIds"> {
  return only === undefined ? {} : { soundIds: chooseSounds(source.manifest.items, only) };
}

/** Whether a run imports everything that is asked for. */
function includesChoice(run: RunRequest, { soundIds }: RunRequest): boolean {
  const inRun = run.soundIds;
  return inRun === undefined || (soundIds?.every((id) => inRun.includes(id)) ?? false);
}
