import pLimit from "p-limit";
import type { ImportOutcome } from "../../core/protocol/import-outcome.ts";
import { runSentence } from "../../core/protocol/run-sentences.ts";
import { sentenceOf } from "../../core/text/sentence-of.ts";
import type { Host } from "../hosts/host.ts";
import type { HostRegistry } from "../hosts/host-registry.ts";
import type { FoundPackage, PackageFinder } from "../packages/package-finder.ts";
import { isNewTo } from "../packages/package-record.ts";
import type { PanelRun } from "../../core/protocol/panel-api.ts";
import type { RunResult } from "../state/importer-state.ts";
import type { StateStore } from "../state/state-store.ts";
import {
  ImportCancelledError,
  runErrorCode,
  RunRefusal,
} from "../../core/importer/import-errors.ts";
import { importOrSave } from "./import-or-save.ts";
import type { ImportDeps } from "./import-run.ts";
import type { ImportAllOptions, ImportOptions, PackageProgress } from "./importer-calls.ts";
import { type EndedRun, LateLooks } from "./late-looks.ts";
import type { OwnHost } from "./own-host.ts";
import { chooseSounds } from "./run-choice.ts";

export interface ImportRunsDeps {
  readonly store: StateStore;
  readonly finder: Pick<PackageFinder, "find">;
  /** The own hosts; runs at other hosts carry `otherHost` in the state. */
  readonly hosts: Pick<HostRegistry, "own">;
  readonly host: Pick<OwnHost, "open">;
  /** Undoes the dismissal of a package that is imported now (rule R12). */
  readonly undismiss: (found: FoundPackage) => Promise<void>;
  readonly importDeps: Omit<ImportDeps, "host">;
  /** Returns milliseconds since 1970. */
  readonly now: () => number;
}

interface RunOptions extends ImportOptions {
  /** True if *Import all* began it. */
  readonly isOfAll?: boolean;
}

interface RunRequest {
  readonly found: FoundPackage;
  readonly host: Host;
  /** Ids of the chosen sounds, in the package's order; absent where nobody chose. */
  readonly soundIds?: readonly string[];
}

/** A run with all its listeners. */
interface SharedRun extends RunRequest {
  readonly isOfAll: boolean;
  readonly outcome: Promise<ImportOutcome>;
  readonly listeners: Set<(progress: PackageProgress) => void>;
  readonly cancel: () => void;
}

/**
 * The runs that were asked for: executed one at a time, first in, first out, deduplicated by package and host, and
 * recorded in the state.
 */
export class ImportRuns {
  /** The later looks at runs that have ended. */
  readonly lateLooks: LateLooks;
  readonly #deps: ImportRunsDeps;
  readonly #runNext = pLimit(1);
  readonly #closing = new AbortController();
  readonly #shared = new Set<SharedRun>();

  constructor(deps: ImportRunsDeps) {
    this.#deps = deps;
    const runExclusive = (work: () => Promise<void>) => this.runExclusive(work);
    this.lateLooks = new LateLooks({ ...deps.importDeps, store: deps.store, runExclusive });
  }

  /**
   * Finds a package and its host, and queues a run or joins the one that already does it. A dismissed package no
   * longer is. Resolves when the run is in the state.
   * @param source the id of a package at the relay or in the inbox, or a folder's path
   * @throws {Error} with a sentence when that can't be done as asked
   */
  async ask(
    source: string,
    options: ImportOptions,
  ): Promise<{ readonly outcome: Promise<ImportOutcome> }> {
    const { finder, undismiss } = this.#deps;
    const host = await this.#deps.host.open(options.host);
    if (options.reuseTracks === true && host.can.reusesTracks !== true) {
      throw new RunRefusal("TRACKS_NOT_REUSED", runSentence("TRACKS_NOT_REUSED"));
    }
    const found = await finder.find(source);
    const outcome = this.run(found, host, options);
    // The caller gets the rejection.
    outcome.catch(() => undefined);
    await undismiss(found);
    return { outcome };
  }

  /**
   * Imports a package into a host, or joins the queued or active run that already does.
   * @throws {RunRefusal} at once, when the choice of sounds is wrong, or a run of the package has another one
   */
  run(found: FoundPackage, host: Host, options: RunOptions): Promise<ImportOutcome> {
    const request = { found, host, ...choiceOf(found, options) };
    const shared = this.#find(request, options);
    if (shared !== undefined && !includesChoice(shared, request)) {
      const { title } = found;
      throw new RunRefusal("IMPORT_RUNS", runSentence("OTHER_SOUNDS_RUN", { title }));
    }
    return follow(shared ?? this.#begin(request, options), options);
  }

  /** Like `run`, but returns undefined for a package that isn't new to the host, and joins a run of any sounds. */
  async runIfNew(
    found: FoundPackage,
    host: Host,
    options: ImportAllOptions,
  ): Promise<ImportOutcome | undefined> {
    const request = { found, host };
    if (this.#find(request, options) === undefined) {
      const record = await this.#deps.importDeps.journals.read(found.packageId);
      if (!isNewTo(record, host.name)) return undefined;
    }
    return follow(this.#find(request, options) ?? this.#begin(request, options), options);
  }

  /** Returns whether a run of the package is queued or active, at any host. */
  isRunning(packageId: string): boolean {
    return this.#runsOf(packageId).length > 0;
  }

  /** Cancels a package's queued and active runs at every host; false where there are none. */
  cancel(packageId: string): boolean {
    const runs = this.#runsOf(packageId);
    for (const run of runs) run.cancel();
    return runs.length > 0;
  }

  /** Cancels the runs that *Import all* began; false where there are none. Queued ones leave no result. */
  stopAll(): boolean {
    const runs = [...this.#shared].filter(({ isOfAll }) => isOfAll);
    for (const run of runs) run.cancel();
    return runs.length > 0;
  }

  /**
   * Executes work after everything that was queued before it; no run is active meanwhile.
   * @param work its signal aborts when `signal` does, or on `close`
   * @param signal rejects queued work at once, with the signal's reason
   */
  runExclusive<Outcome>(
    work: (signal: AbortSignal) => Promise<Outcome>,
    signal?: AbortSignal,
  ): Promise<Outcome> {
    return new Promise((resolve, reject) => {
      const leave = () => reject(signal?.reason);
      signal?.addEventListener("abort", leave, { once: true });
      const turn = this.#runNext(async () => {
        signal?.throwIfAborted();
        signal?.removeEventListener("abort", leave);
        return this.#execute(work, signal);
      });
      turn.then(resolve, reject);
    });
  }

  /** Cancels every run; resolves when the last one has stopped. */
  async close(): Promise<void> {
    this.lateLooks.close();
    this.#closing.abort(new Error(runSentence("CLOSING")));
    await this.#runNext(async () => {});
  }

  async #execute<Outcome>(
    work: (signal: AbortSignal) => Promise<Outcome>,
    signal: AbortSignal | undefined,
  ): Promise<Outcome> {
    const failed = new AbortController();
    const sources = [this.#closing.signal, failed.signal, signal];
    const any = AbortSignal.any(sources.filter((source) => source !== undefined));
    any.throwIfAborted();
    try {
      return await work(any);
    } catch (error) {
      // Stop what the failed run started.
      failed.abort(error);
      throw error;
    }
  }

  /** Finds a run to join. A call that names no host joins a run at any of the own hosts. */
  #find({ found, host }: RunRequest, options: ImportAllOptions): SharedRun | undefined {
    const runs = this.#runsOf(found.packageId);
    const joinsAnyOwn = options.host === undefined && this.#isOwn(host);
    return runs.find((run) => run.host === host || (joinsAnyOwn && this.#isOwn(run.host)));
  }

  #runsOf(packageId: string): readonly SharedRun[] {
    return [...this.#shared].filter(({ found }) => found.packageId === packageId);
  }

  #isOwn(host: Host): boolean {
    return this.#deps.hosts.own.includes(host);
  }

  #begin(request: RunRequest, options: RunOptions): SharedRun {
    const listeners: SharedRun["listeners"] = new Set();
    const own = new AbortController();
    const cancel = () => own.abort(new ImportCancelledError());
    if (options.signal?.aborted) cancel();
    options.signal?.addEventListener("abort", cancel, { once: true });
    const linked = { ...options, signal: own.signal };
    const outcome = this.#record(request, linked, listeners).finally(() => {
      options.signal?.removeEventListener("abort", cancel);
      this.#shared.delete(shared);
    });
    const { isOfAll = false } = options;
    const shared = { ...request, isOfAll, outcome, listeners, cancel };
    this.#shared.add(shared);
    return shared;
  }

  /** Queues a run and keeps the state up to date from its request to its result. */
  async #record(
    request: RunRequest,
    options: RunOptions & { readonly signal: AbortSignal },
    listeners: SharedRun["listeners"],
  ): Promise<ImportOutcome> {
    const { store, now, importDeps, hosts } = this.#deps;
    const { found, host, soundIds } = request;
    const { isOfAll = false } = options;
    const { packageId, title, source } = found;
    // Two runs of a package at two own hosts must differ in the state.
    const isSecond = this.#runsOf(packageId).some((run) => this.#isOwn(run.host));
    const isOther = !this.#isOwn(host) || isSecond;
    const run = {
      packageId,
      title,
      ...(isOther && { otherHost: host.name }),
      ...(soundIds !== undefined && { soundIds }),
    };
    const finish = (result: RunResult) =>
      store.finishRun({ ...run, at: new Date(now()).toISOString(), result });
    let shown: Pick<PanelRun, "progress" | "sounds"> = { progress: null, sounds: {} };
    const show = (change: Partial<typeof shown>) => {
      shown = { ...shown, ...change };
      store.putRun({ ...run, ...(isOfAll && { isOfAll }), ...shown });
    };
    show({});
    const ended: EndedRun[] = [];
    try {
      const outcome = await this.runExclusive(
        (signal) =>
          importOrSave(
            source,
            { ...importDeps, host, own: hosts.own },
            {
              ...options,
              soundIds,
              signal,
              onEnd: (run) => ended.push(run),
              onSounds: (sounds) => show({ sounds }),
              onProgress: (progress) => {
                show({ progress });
                for (const listener of listeners) listener({ packageId, title, progress });
              },
            },
          ),
        options.signal,
      );
      finish({ outcome });
      return outcome;
    } catch (error) {
      const code = runErrorCode(error);
      const hasBegun = shown.progress !== null;
      if (isOfAll && !hasBegun && code === "CANCELLED") store.dropRun(run);
      else finish({ error: sentenceOf(error), code });
      throw error;
    } finally {
      for (const each of ended) this.lateLooks.follow(each);
    }
  }
}

function follow(run: SharedRun, { onProgress }: ImportAllOptions): Promise<ImportOutcome> {
  if (onProgress !== undefined) run.listeners.add(onProgress);
  return run.outcome;
}

/** Returns the chosen sounds. @throws {RunRefusal} when the choice is wrong */
function choiceOf({ source }: FoundPackage, { only }: ImportOptions): Pick<RunRequest, "soundIds"> {
  return only === undefined ? {} : { soundIds: chooseSounds(source.manifest.items, only) };
}

/** Returns whether a run imports everything that is asked for. */
function includesChoice(run: RunRequest, { soundIds }: RunRequest): boolean {
  const inRun = run.soundIds;
  return inRun === undefined || (soundIds?.every((id) => inRun.includes(id)) ?? false);
}
