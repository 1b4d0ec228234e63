import type { Layout } from "../../core/layout/layout.ts";
import { needsColorTurn, planLayout } from "../../core/layout/plan-layout.ts";
import { usableTracks } from "../../core/layout/usable-tracks.ts";
import type { ImportOutcome, ImportProgress } from "../../core/protocol/import-outcome.ts";
import { AlreadyPlacedError } from "../hosts/already-placed.ts";
import {
  type Host,
  type HostSettingValues,
  HostStepError,
  LeftBehindError,
  type PlacedSound,
} from "../hosts/host.ts";
import type { ColorTurns } from "./color-turns.ts";
import { DEFAULT_RETRY_POLICY, type RetryPolicy } from "./download.ts";
import { type FetchedSound, fetchSounds } from "./fetch-sounds.ts";
import { inWords } from "../disk/disk-error.ts";
import { ImportCancelledError } from "./import-errors.ts";
import { type FilesLeft, importOutcome, soundResults } from "./import-outcome.ts";
import type { ImportOptions } from "./import-options.ts";
import type { Journal, Journals } from "./journal.ts";
import type { Outbox } from "../relay/outbox.ts";
import type { RunRecord } from "./journal-lines.ts";
import type { PackageSource } from "../packages/package-source.ts";
import type { RelayPort } from "../relay/relay-port.ts";
import type { PackageFolder, SoundsFolder } from "../disk/sounds-folder.ts";
import { takePackage } from "./take-package.ts";

export interface ImportDeps {
  readonly host: Host;
  readonly sounds: SoundsFolder;
  readonly journals: Journals;
  readonly colorTurns: ColorTurns;
  readonly outbox: Outbox;
  /** Returns a new id of 1 to `MAX_ID_LENGTH` characters. */
  readonly newRunId: () => string;
  readonly retryPolicy?: RetryPolicy;
  /** Returns the values of a host's settings; undefined for a host that declares none. */
  readonly settingsOf?: (host: Host) => HostSettingValues | undefined;
}

export interface RunOptions extends Pick<
  ImportOptions,
  "again" | "takeOver" | "after" | "sessionTempoBpm"
> {
  /** Cancels the import until the host has placed everything. */
  readonly signal: AbortSignal;
  readonly onProgress: (progress: ImportProgress) => void;
}

/**
 * Imports one package: takes the lease, downloads the sounds, plans the layout, has the host place it
 * and reports each sound's result. Resumes an interrupted run (rule R4). Calls must not overlap.
 * @throws {AlreadyPlacedError} when an interrupted run left a part at a host that can't resume, or the
 *   host says so
 * @throws {ImportCancelledError} when the signal aborted
 * @throws {LeftBehindError} when placing failed and the host couldn't undo all of it
 * @throws {Error} with a sentence, when the package is unavailable or the disk fails; nothing is placed
 */
export async function importPackage(
  source: PackageSource,
  deps: ImportDeps,
  options: RunOptions,
): Promise<ImportOutcome> {
  try {
    options.signal.throwIfAborted();
    return await new ImportRun(source, deps, options).run();
  } catch (error) {
    if (options.signal.aborted && !(error instanceof LeftBehindError)) {
      throw new ImportCancelledError({ cause: error });
    }
    throw inWords(error);
  }
}

class ImportRun {
  readonly #source: PackageSource;
  readonly #deps: ImportDeps;
  readonly #options: RunOptions;
  /** The host may still hold what an earlier run placed. */
  #mayHoldEarlier = false;

  constructor(source: PackageSource, deps: ImportDeps, options: RunOptions) {
    this.#source = source;
    this.#deps = deps;
    this.#options = options;
  }

  async run(): Promise<ImportOutcome> {
    const { packageId, relay } = this.#source;
    const before = await this.#deps.journals.read(packageId);
    const journal = await this.#beginJournal(before);
    if (relay !== undefined) await this.#take(relay, journal.runId, before);
    const folder = await this.#deps.sounds.openFor(this.#source.manifest);
    const layout = await this.#plan(await this.#fetch(folder, journal.runId));
    const placed = await this.#place(layout, folder, journal);
    const outcome = importOutcome(layout, placed, await this.#settleFiles(layout, placed, folder));
    await this.#finish(outcome, journal, before);
    return outcome;
  }

  async #beginJournal({ unfinished }: RunRecord): Promise<Journal> {
    const { host, journals, newRunId } = this.#deps;
    const { packageId, manifest } = this.#source;
    const { runId, steps } = unfinished.get(host.name) ?? { runId: newRunId(), steps: [] };
    const inSession = steps.filter(({ leavesNothing }) => leavesNothing !== true);
    this.#mayHoldEarlier = !host.can.resumes && inSession.some(({ state }) => state !== "failed");
    if (this.#mayHoldEarlier && this.#options.again !== true) {
      throw new AlreadyPlacedError(manifest.title, inSession);
    }
    return journals.begin(packageId, {
      runId,
      hostName: host.name,
      title: manifest.title,
      earlier: steps,
    });
  }

  async #take(relay: RelayPort, runId: string, before: RunRecord): Promise<void> {
    const { packageId } = this.#source;
    // An earlier run's report ends its lease.
    await this.#deliver(relay);
    await takePackage(relay, packageId, {
      runId,
      isForced: this.#options.takeOver === true,
      stoppedRunIds: [...before.unfinished.values()].map((run) => run.runId),
    });
    this.#options.onProgress({ phase: "taken", runId });
  }

  #fetch(folder: PackageFolder, runId: string): Promise<ReadonlyMap<string, FetchedSound>> {
    const { packageId, relay } = this.#source;
    return fetchSounds(this.#source, folder, {
      signal: this.#options.signal,
      retryPolicy: this.#deps.retryPolicy ?? DEFAULT_RETRY_POLICY,
      assertStillThere: async () => relay?.take(packageId, { run_id: runId }),
      onProgress: (doneBytes, totalBytes) =>
        this.#options.onProgress({ phase: "fetching", doneBytes, totalBytes }),
    });
  }

  async #plan(sounds: ReadonlyMap<string, FetchedSound>): Promise<Layout> {
    const { manifest, warnings, packageId } = this.#source;
    const colorTurn = needsColorTurn(manifest)
      ? await this.#deps.colorTurns.turnOf(packageId)
      : null;
    return planLayout({ manifest, warnings, sounds, colorTurn });
  }

  async #place(
    layout: Layout,
    folder: PackageFolder,
    journal: Journal,
  ): Promise<readonly PlacedSound[]> {
    const { host } = this.#deps;
    const { signal, onProgress, again, after, sessionTempoBpm } = this.#options;
    const hasTempo = host.readTempo !== undefined && sessionTempoBpm !== undefined;
    const settings = this.#deps.settingsOf?.(host);
    const usable = usableTracks(layout);
    signal.throwIfAborted();
    if (usable.length === 0) return [];
    try {
      return await host.place({
        layout,
        files: new Map(usable.map(({ soundId }) => [soundId, folder.pathOf(soundId)])),
        journal,
        signal,
        ...(again === true && { again }),
        ...(after !== undefined && { after }),
        ...(hasTempo && { sessionTempoBpm }),
        ...(settings !== undefined && { settings }),
        onProgress: (placed, total) => onProgress({ phase: "placing", placed, total }),
      });
    } catch (error) {
      if (error instanceof LeftBehindError || error instanceof AlreadyPlacedError) throw error;
      this.#noteUndone(journal);
      if (!(error instanceof HostStepError) || signal.aborted) throw error;
      return usable.map(({ soundId }) => ({ soundId, error: error.message }));
    }
  }

  /** Deletes the files that the host copied and keeps those it plays (rule F5). */
  async #settleFiles(
    layout: Layout,
    placed: readonly PlacedSound[],
    folder: PackageFolder,
  ): Promise<FilesLeft> {
    const { copiesFiles } = this.#deps.host.can;
    const held = placed.filter((sound) => "holds" in sound);
    const copied = held.filter((sound) => copiesFiles && sound.playsOwnFile !== true);
    const played = held.filter((sound) => !copied.includes(sound));
    const gone = await tidy(folder, idsOf(played), idsOf(copied));
    const usable = usableTracks(layout);
    const left = usable.filter(({ soundId }) => !gone.has(soundId));
    return {
      folder: left.length === 0 ? null : folder,
      fileNames: new Map(left.map(({ soundId }) => [soundId, folder.fileNameOf(soundId)])),
    };
  }

  async #finish(
    outcome: ImportOutcome,
    journal: Journal,
    { importedInto }: RunRecord,
  ): Promise<void> {
    const { relay, packageId } = this.#source;
    const isFailed = outcome.status === "failed";
    if (relay !== undefined && isFailed && importedInto.size > 0) {
      // An earlier report says that the package is in a host, which is still true (rule R7).
      this.#noteUndone(journal);
      return;
    }
    if (relay !== undefined) {
      await this.#deps.outbox.put(packageId, soundResults(outcome.tracks), relay);
    }
    if (isFailed && this.#mayHoldEarlier) this.#noteUndone(journal);
    else journal.noteEnd(outcome.status);
    if (relay === undefined) return;
    this.#options.onProgress({ phase: "reported", isKnown: await this.#deliver(relay) });
  }

  #noteUndone(journal: Journal): void {
    journal.noteUndone({ keepsEarlier: this.#mayHoldEarlier });
  }

  /** Sends the package's pending report, if any; false where it stays pending. */
  async #deliver(relay: RelayPort): Promise<boolean> {
    try {
      await this.#deps.outbox.deliver(this.#source.packageId, relay);
      return true;
    } catch {
      // The report is safe in the outbox, which retries.
      return false;
    }
  }
}

/** Keeps some files and deletes others; returns the sounds whose file was deleted. */
async function tidy(
  folder: PackageFolder,
  kept: readonly string[],
  discarded: readonly string[],
): Promise<ReadonlySet<string>> {
  try {
    await folder.keep(kept);
    return await folder.discard(discarded);
  } catch {
    // The host has placed the sounds: a disk error here must not fail the import.
    return new Set();
  }
}

function idsOf(sounds: readonly PlacedSound[]): readonly string[] {
  return sounds.map(({ soundId }) => soundId);
}
