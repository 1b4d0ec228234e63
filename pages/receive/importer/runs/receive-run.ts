import { pauseMs, PROGRESS_BYTES } from "../../../../core/download-pause.ts";
import { FetchFailure } from "../../../../core/importer/fetch-failure.ts";
import { isOwnRefusal } from "../../../../core/importer/relay-errors.ts";
import { planLayout } from "../../../../core/layout/plan-layout.ts";
import { usableTracks } from "../../../../core/layout/usable-tracks.ts";
import type { Sound } from "../../../../core/manifest/manifest.ts";
import type { ParsedLocalManifest } from "../../../../core/manifest/parse-manifest.ts";
import { countReceived, SoundProgress } from "../../../../core/panel/sound-progress.ts";
import type { ImportablePackage } from "../../../../core/protocol/importer-api.ts";
import type { ImportOutcome, ImportProgress } from "../../../../core/protocol/import-outcome.ts";
import { parseOffered } from "../../../../core/protocol/offered-package.ts";
import { NOT_SELECTED } from "../../../../core/protocol/package-status.ts";
import type { PanelRunSounds } from "../../../../core/protocol/panel-api.ts";
import { RUN_SENTENCES, runSentence } from "../../../../core/protocol/run-sentences.ts";
import { importOutcome } from "../../../../core/report/import-outcome.ts";
import { mergeEarlier } from "../../../../core/report/merge-earlier.ts";
import { savedAsFiles } from "../../../../core/report/placed-sound.ts";
import type { FetchedSound } from "../../../../core/saved-package/saved-manifest.ts";
import type { ProvableSound } from "../download/download-messages.ts";
import { type Downloads, UnusableSoundError } from "../download/downloads.ts";
import { assertRoom, openPartFile } from "../download/private-files.ts";
import type { StoredRun } from "../receive-database.ts";
import type { RelayCalls } from "../relay/relay-calls.ts";
import type { SavedPlace, SaveTarget, SoundPart } from "../save/package-to-save.ts";
import { RunHold } from "./run-hold.ts";

/** Memory of a Worker for sounds that it hashes as a whole, which is faster. A folder has none: it may take little memory. */
const ZIP_MEMORY_BYTES = 64 * 1024 ** 2;
const FOLDER_MEMORY_BYTES = 0;
/** Number of sounds that are downloaded at the same time. */
const SOUNDS_AT_ONCE = 4;

export interface RunDeps {
  readonly calls: RelayCalls;
  readonly downloads: Downloads;
  readonly target: SaveTarget;
  readonly colorTurn: number;
  readonly onProgress: (progress: ImportProgress) => void;
  readonly onSounds: (sounds: PanelRunSounds) => void;
  readonly signal: AbortSignal;
  /** True to take the lease from any other run (rule S2). */
  readonly isForced: boolean;
}

/**
 * The import of one package in a browser: takes the lease, downloads and proves the chosen sounds, saves them with what is
 * about the package, and says what came of each (rules R1, R10, R16).
 */
export class ReceiveRun {
  readonly #listed: ImportablePackage;
  readonly #run: StoredRun;
  readonly #deps: RunDeps;
  readonly #parsed: ParsedLocalManifest;
  readonly #chosen: readonly Sound[];
  readonly #progress: SoundProgress;
  readonly #fetched = new Map<string, FetchedSound>();
  readonly #parts = new Map<string, SoundPart>();

  /** @throws {Refusal} when the whole manifest is unusable */
  constructor(listed: ImportablePackage, run: StoredRun, deps: RunDeps) {
    this.#listed = listed;
    this.#run = run;
    this.#deps = deps;
    this.#parsed = parseOffered(listed);
    this.#chosen = this.#parsed.manifest.items.filter(({ id }) => this.#isChosen(id));
    this.#progress = new SoundProgress(this.#chosen.map(({ id }) => id));
  }

  /** Returns every sound's result. @throws {Error} with a sentence; then nothing is reported */
  async import(): Promise<ImportOutcome> {
    const { calls, onProgress, signal, isForced } = this.#deps;
    const { packageId, runId } = this.#run;
    this.#showSounds();
    await assertRoom(this.#chosen.reduce((sum, { bytes = 0 }) => sum + bytes, 0));
    const request = { run_id: runId, ...(isForced && { force: true }) };
    const { expires_in: leaseSeconds } = await calls.take(packageId, request, signal);
    onProgress({ phase: "taken", runId });
    await this.#deps.target.open(this.#parsed.manifest);
    let counted = { doneBytes: 0, totalBytes: 0 };
    const hold = new RunHold({
      leaseSeconds,
      renew: () => calls.take(packageId, { run_id: runId }),
      onTrouble: (secondsLeft) => onProgress({ phase: "retrying", secondsLeft, ...counted }),
      onRecovered: () => onProgress({ phase: "fetching", ...counted }),
    });
    try {
      await this.#fetchAll(hold, (doneBytes, totalBytes) => {
        counted = { doneBytes, totalBytes };
        onProgress({ phase: "fetching", ...counted });
        this.#showSounds();
      });
      await hold.confirm();
      return await this.#save();
    } catch (error) {
      hold.signal.throwIfAborted();
      throw error;
    } finally {
      hold.end();
    }
  }

  #isChosen(soundId: string): boolean {
    return this.#run.soundIds?.includes(soundId) ?? true;
  }

  #showSounds(): void {
    this.#deps.onSounds(this.#progress.snapshot());
  }

  async #fetchAll(hold: RunHold, onProgress: (done: number, total: number) => void): Promise<void> {
    const failed = new AbortController();
    const signal = AbortSignal.any([this.#deps.signal, hold.signal, failed.signal]);
    const sounds: ProvableSound[] = [];
    for (const sound of this.#parsed.manifest.items) {
      const error = this.#isChosen(sound.id) ? this.#problemOf(sound) : NOT_SELECTED;
      if (error !== undefined) this.#settle(sound, { error });
      else if (isProvable(sound)) sounds.push(sound);
    }
    const count = countReceived(sounds, onProgress);
    const rest = [...sounds];
    const fetchOn = async (): Promise<void> => {
      for (let sound = rest.shift(); sound !== undefined; sound = rest.shift()) {
        await this.#fetchOne(sound, { hold, signal, count });
        hold.noteSettled();
      }
    };
    try {
      await Promise.all(Array.from({ length: SOUNDS_AT_ONCE }, fetchOn));
    } catch (error) {
      rest.length = 0;
      failed.abort(error);
      throw error;
    }
  }

  #problemOf({ id, file }: Sound): string | undefined {
    const problem = this.#parsed.problems.get(id);
    if (problem !== undefined) return problem;
    return this.#listed.files[file] === undefined
      ? runSentence("FILE_NOT_AT_RELAY", { file })
      : undefined;
  }

  #settle({ id }: Sound, fetched: FetchedSound): void {
    this.#fetched.set(id, fetched);
    if (this.#isChosen(id)) this.#progress.note(id, "error" in fetched ? "failed" : "fetched");
    this.#showSounds();
  }

  async #fetchOne(sound: ProvableSound, { hold, signal, count }: Fetching): Promise<void> {
    const { manifest } = this.#parsed;
    const { target, calls } = this.#deps;
    const { needsCrc } = target;
    const { packageId } = this.#run;
    const place = { folder: packageId, name: String(manifest.items.indexOf(sound)) };
    let furthest = 0;
    let withoutProgress = 0;
    for (;;) {
      const before = furthest;
      try {
        const task = {
          sound,
          place,
          path: this.#listed.files[sound.file] ?? "",
          headers: calls.headers,
          needsCrc,
          memoryBytes: needsCrc ? ZIP_MEMORY_BYTES : FOLDER_MEMORY_BYTES,
        };
        const { header, crc32 } = await this.#deps.downloads.download(task, {
          signal,
          onBytes: (seenBytes) => {
            hold.noteBytes(Math.max(0, seenBytes - furthest));
            furthest = Math.max(furthest, seenBytes);
            this.#progress.noteBytes(sound, seenBytes);
            count(sound, seenBytes);
          },
        });
        count(sound, sound.bytes);
        const part = { bytes: await openPartFile(place), crc32 };
        await target.putSound(sound.id, part.bytes);
        this.#parts.set(sound.id, part);
        const { bytes, sha256 } = sound;
        return this.#settle(sound, { ...header, digest: { bytes, sha256 } });
      } catch (error) {
        signal.throwIfAborted();
        const trouble = await this.#troubleOfSound(error);
        if (trouble !== undefined) return this.#settle(sound, { error: trouble });
        if (!(error instanceof FetchFailure)) throw error;
        withoutProgress = furthest - before >= PROGRESS_BYTES ? 0 : withoutProgress + 1;
        hold.noteTrouble(error);
        await pause(pauseMs(withoutProgress, error.retryAfterSeconds), signal);
      }
    }
  }

  /** Returns a sentence for what concerns one sound only; undefined for anything else. @throws when the package is gone */
  async #troubleOfSound(error: unknown): Promise<string | undefined> {
    if (error instanceof UnusableSoundError) return error.message;
    if (!(error instanceof FetchFailure) || error.refusedWith === undefined) return undefined;
    const { packageId, runId } = this.#run;
    try {
      await this.#deps.calls.take(packageId, { run_id: runId });
    } catch (gone) {
      if (isOwnRefusal(gone)) throw gone;
    }
    return error.refusedWith === "SOUND_LOST" ? RUN_SENTENCES.FILE_LOST : error.message;
  }

  async #save(): Promise<ImportOutcome> {
    const { manifest, warnings } = this.#parsed;
    const { colorTurn, target } = this.#deps;
    const fetched = new Map(
      manifest.items.map(({ id }) => [id, this.#fetched.get(id) ?? { error: NOT_SELECTED }]),
    );
    const layout = planLayout({ manifest, warnings, sounds: fetched, colorTurn });
    const placed = savedAsFiles(layout);
    const isEmpty = usableTracks(layout).length === 0;
    const { folderName, fileNameOf } = isEmpty
      ? NOWHERE
      : await target.finish({
          manifest,
          warnings,
          fetched,
          parts: this.#partsInOrder(),
          colorTurn,
        });
    const files = { path: folderName, name: folderName, fileNameOf };
    const earlier = new Map(
      Object.entries(this.#listed.results ?? {}).filter(([, { status }]) => status === "imported"),
    );
    const outcome = importOutcome(layout, placed, files);
    return mergeEarlier(outcome, { isChosen: (id) => this.#isChosen(id), earlier });
  }

  /** Returns the parts in the package's order, whichever came first: the same package gives the same ZIP (rule RC7). */
  #partsInOrder(): ReadonlyMap<string, SoundPart> {
    return new Map(
      this.#parsed.manifest.items.flatMap(({ id }) => {
        const part = this.#parts.get(id);
        return part === undefined ? [] : [[id, part] as const];
      }),
    );
  }
}

const NOWHERE: SavedPlace = { folderName: "", fileNameOf: () => "" };

interface Fetching {
  readonly hold: RunHold;
  readonly signal: AbortSignal;
  readonly count: ReturnType<typeof countReceived>;
}

function isProvable(sound: Sound): sound is ProvableSound {
  return sound.bytes !== undefined && sound.sha256 !== undefined;
}

/** Waits; rejects when the signal aborts. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = (): void => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", abort);
      resolve();
    }, ms);
    signal.addEventListener("abort", abort, { once: true });
  });
}
