import type { Layout } from "../../core/layout/layout.ts";
import { usableTracks } from "../../core/layout/usable-tracks.ts";
import type { ImportOutcome, ImportProgress } from "../../core/protocol/import-outcome.ts";
import type { PanelRunSounds } from "../../core/protocol/panel-api.ts";
import type { StartHash } from "../../core/audio/running-hash.ts";
import { AlreadyPlacedError } from "../hosts/already-placed.ts";
import type { PlacedSound } from "../../core/report/placed-sound.ts";
import {
  type Host,
  type HostSettingValues,
  HostStepError,
  LeftBehindError,
} from "../hosts/host.ts";
import type { ColorTurns } from "../state/color-turns.ts";
import { DEFAULT_RETRY_POLICY, type RetryPolicy } from "./attempts.ts";
import type { FetchedSound } from "../../core/saved-package/saved-manifest.ts";
import { SoundProgress } from "../../core/panel/sound-progress.ts";
import { fetchForRun } from "./fetch-sounds.ts";
import { ImportCancelledError } from "./import-errors.ts";
import { endRun } from "./end-run.ts";
import { importOutcome } from "../../core/report/import-outcome.ts";
import { settleFiles } from "./settle-files.ts";
import { type EarlierResults, mergeEarlier } from "../../core/report/merge-earlier.ts";
import { resultsAt } from "./earlier-results.ts";
import type { ImportOptions } from "./importer-calls.ts";
import type { Journal, Journals } from "./journal.ts";
import type { Outbox } from "../relay/outbox.ts";
import type { RunRecord } from "./journal-lines.ts";
import type { EndedRun } from "./late-looks.ts";
import { chooseForRun, type RunChoice } from "./run-choice.ts";
import { RunLease, takePackage } from "./run-lease.ts";
import { saveAndPlan } from "./save-package.ts";
import { type PackageSource, reporterOf } from "../packages/package-source.ts";
import type { RelayPort } from "../relay/relay-port.ts";
import { toDiskError } from "../disk/disk-error.ts";
import type { PackageFolder, SoundsFolder } from "../disk/sounds-folder.ts";
import { type Timers, untilAborted } from "../timers.ts";

export interface ImportDeps {
  readonly host: Host;
  readonly sounds: SoundsFolder;
  readonly journals: Journals;
  readonly colorTurns: ColorTurns;
  readonly outbox: Outbox;
  /** Returns a new id of 1 to `MAX_ID_LENGTH` characters. */
  readonly newRunId: () => string;
  readonly retryPolicy?: RetryPolicy;
  /** Starts the hash of a sound; on the event loop by default. */
  readonly startHash?: StartHash | undefined;
  /** Timers that measure the lease. */
  readonly timers: Timers;
  /** Returns the values of a host's settings; undefined for a host that declares none. */
  readonly settingsOf?: (host: Host) => HostSettingValues | undefined;
}

export interface RunOptions extends Pick<
  ImportOptions,
  "again" | "takeOver" | "after" | "sessionTempoBpm" | "reuseTracks"
> {
  /** Ids of the chosen sounds (rule R10); absent where nobody chose. */
  readonly soundIds?: readonly string[] | undefined;
  /** Called before `onProgress`, and whenever a sound is fetched. */
  readonly onSounds?: (sounds: PanelRunSounds) => void;
  /** Called once the results are stored. */
  readonly onEnd?: (run: EndedRun) => void;
  /** Cancels the import until the host has placed everything. */
  readonly signal: AbortSignal;
  readonly onProgress: (progress: ImportProgress) => void;
}

/**
 * The import of one package: takes the lease, downloads the sounds, plans the layout, has the host place it
 * and reports each sound's result. Resumes an interrupted run (rule R4). Runs must not overlap.
 */
export class ImportRun {
  readonly #source: PackageSource;
  readonly #deps: ImportDeps;
  readonly #options: RunOptions;
  /** True if an interrupted run may have left sounds in a host that can't resume it. */
  #hasLeftovers = false;
  /** Results of earlier runs at this host. */
  #earlier: EarlierResults = new Map();
  #choice: RunChoice = { soundIds: undefined, later: [] };
  #sounds = new SoundProgress([]);
  #lease: RunLease | undefined;

  constructor(source: PackageSource, deps: ImportDeps, options: RunOptions) {
    this.#source = source;
    this.#deps = deps;
    this.#options = options;
  }

  /**
   * Imports the package; may be called once.
   * @throws {AlreadyPlacedError} when an interrupted run left a part at a host that can't resume, or the
   *   host says so
   * @throws {ImportCancelledError} when the signal aborted
   * @throws {LeftBehindError} when placing failed and the host couldn't undo all of it
   * @throws {Error} with a sentence, when the package is unavailable or the disk fails; nothing is placed
   */
  async import(): Promise<ImportOutcome> {
    const { signal } = this.#options;
    try {
      signal.throwIfAborted();
      const outcome = await this.#run();
      const { later: soundIds } = this.#choice;
      if (soundIds.length === 0) return outcome;
      // This run completed an interrupted one; the next one does what the person asked for.
      return await new ImportRun(this.#source, this.#deps, { ...this.#options, soundIds }).#run();
    } catch (error) {
      if (signal.aborted && !(error instanceof LeftBehindError)) {
        throw new ImportCancelledError({ cause: error });
      }
      throw toDiskError(error, this.#deps.sounds.path);
    }
  }

  async #run(): Promise<ImportOutcome> {
    const { packageId } = this.#source;
    const before = await this.#deps.journals.read(packageId);
    const journal = await this.#beginJournal(before);
    try {
      const { outcome, folder, outcomeOf } = await this.#import(journal, before);
      const shown = mergeEarlier(outcome, { isChosen: this.#isChosen, earlier: this.#earlier });
      const hasFiles = shown.tracks.some(({ file }) => file !== null);
      const ended = await endRun(outcome, {
        ...this.#deps,
        source: this.#source,
        journal,
        before,
        soundIds: this.#choice.soundIds,
        hasLeftovers: this.#hasLeftovers,
        onProgress: this.#options.onProgress,
      });
      this.#options.onEnd?.({ ...ended, resultsOf: (held) => ended.ownResults(outcomeOf(held)) });
      return { ...shown, folder: hasFiles ? folder : outcome.folder };
    } catch (error) {
      this.#noteIfCancelled(journal, error);
      if (!(error instanceof LeftBehindError)) this.#lease?.signal.throwIfAborted();
      throw error;
    } finally {
      this.#lease?.end();
    }
  }

  async #import(journal: Journal, before: RunRecord) {
    const { relay } = this.#source;
    if (relay !== undefined) await this.#take(relay, journal.runId, before);
    const folder = await this.#deps.sounds.openFor(this.#source.manifest);
    const fetched = await this.#fetch(folder, journal.runId);
    const layout = await saveAndPlan(
      { source: this.#source, folder, fetched },
      this.#deps.colorTurns,
    );
    const placed = await this.#place(layout, folder, journal);
    await settleFiles(folder, placed);
    const outcomeOf = (held: readonly PlacedSound[]) => importOutcome(layout, held, folder);
    return { outcome: outcomeOf(placed), folder: folder.path, outcomeOf };
  }

  async #beginJournal(before: RunRecord): Promise<Journal> {
    const { host, journals, newRunId } = this.#deps;
    const { packageId, manifest, listed } = this.#source;
    const unfinished = before.unfinished.get(host.name);
    const { runId, steps } = unfinished ?? { runId: newRunId(), steps: [] };
    const inSession = steps.filter(({ leavesNothing }) => leavesNothing !== true);
    const isInSession = inSession.some(({ state }) => state !== "failed");
    this.#hasLeftovers = !host.can.resumes && isInSession;
    if (this.#hasLeftovers && !this.#isAgain)
      throw new AlreadyPlacedError(manifest.title, inSession);
    this.#earlier = resultsAt(before, host, listed?.results);
    const all = manifest.items.map(({ id }) => id);
    this.#choice = chooseForRun({
      all,
      asked: this.#options.soundIds,
      again: this.#isAgain,
      unfinished,
      isCompleted: host.can.resumes && isInSession,
      earlier: this.#earlier,
    });
    const { soundIds } = this.#choice;
    this.#sounds = new SoundProgress(soundIds ?? all);
    this.#showSounds();
    const reportsTo = reporterOf(this.#source);
    const run = { runId, hostName: host.name, title: manifest.title, soundIds, reportsTo };
    return journals.begin(packageId, { ...run, earlier: steps });
  }

  readonly #isChosen = (soundId: string): boolean =>
    this.#choice.soundIds?.includes(soundId) ?? true;

  /** Signal that also aborts when another run has the lease. */
  get #signal(): AbortSignal {
    const { signal } = this.#options;
    return this.#lease === undefined ? signal : AbortSignal.any([signal, this.#lease.signal]);
  }

  #showSounds(): void {
    this.#options.onSounds?.(this.#sounds.snapshot());
  }

  /** True for a further import, also one on the same tracks: they can only be those of an earlier import. */
  get #isAgain(): boolean {
    return this.#options.again === true || this.#options.reuseTracks === true;
  }

  async #take(relay: RelayPort, runId: string, before: RunRecord): Promise<void> {
    const { packageId } = this.#source;
    const { signal, takeOver = false } = this.#options;
    // An earlier run's report ends its lease.
    await untilAborted(this.#deps.outbox.tryDeliver(packageId, relay), signal);
    const taking = takePackage(relay, packageId, {
      runId,
      isForced: takeOver,
      stoppedRunIds: [...before.unfinished.values()].map((run) => run.runId),
      signal,
    });
    const { expires_in: seconds } = await untilAborted(taking, signal);
    this.#lease = new RunLease({ packageId, runId, seconds }, relay, this.#deps.timers);
    this.#options.onProgress({ phase: "taken", runId });
  }

  #fetch(folder: PackageFolder, runId: string): Promise<ReadonlyMap<string, FetchedSound>> {
    return fetchForRun(this.#source, folder, {
      ...this.#options,
      signal: this.#signal,
      lease: this.#lease,
      runId,
      retryPolicy: this.#deps.retryPolicy ?? DEFAULT_RETRY_POLICY,
      startHash: this.#deps.startHash,
      isChosen: this.#isChosen,
      sounds: this.#sounds,
      onSounds: () => this.#showSounds(),
    });
  }

  async #place(
    layout: Layout,
    folder: PackageFolder,
    journal: Journal,
  ): Promise<readonly PlacedSound[]> {
    const { host } = this.#deps;
    const { onProgress, after, sessionTempoBpm, reuseTracks } = this.#options;
    const signal = this.#signal;
    const hasTempo = host.readTempo !== undefined && sessionTempoBpm !== undefined;
    const settings = this.#deps.settingsOf?.(host);
    const usable = usableTracks(layout);
    signal.throwIfAborted();
    if (usable.length === 0) return [];
    await this.#lease?.confirm(signal);
    try {
      return await host.place({
        layout,
        files: new Map(usable.map(({ soundId }) => [soundId, folder.pathOf(soundId)])),
        journal,
        signal,
        ...(this.#isAgain && { again: true }),
        ...(reuseTracks === true && { reuseTracks }),
        ...(after !== undefined && { after }),
        ...(hasTempo && { sessionTempoBpm }),
        ...(settings !== undefined && { settings }),
        onProgress: (placed, total, soundId = usable[placed - 1]?.soundId) => {
          if (soundId !== undefined) this.#sounds.note(soundId, "placed");
          this.#showSounds();
          onProgress({ phase: "placing", placed, total });
        },
      });
    } catch (error) {
      if (error instanceof LeftBehindError || error instanceof AlreadyPlacedError) throw error;
      this.#recordUnfinished(journal);
      if (!(error instanceof HostStepError) || signal.aborted) throw error;
      return usable.map(({ soundId }) => ({ soundId, error: error.message }));
    }
  }

  /** Records a person's cancel, which ends their choice of sounds unless the host still holds a part of it. */
  #noteIfCancelled(journal: Journal, error: unknown): void {
    const { aborted, reason } = this.#options.signal;
    if (!aborted || !(reason instanceof ImportCancelledError)) return;
    if (journal.earlier.length === 0 && !(error instanceof LeftBehindError))
      journal.noteCancelled();
  }

  #recordUnfinished(journal: Journal): void {
    journal.recordUnfinished({ keepsEarlier: this.#hasLeftovers });
  }
}
