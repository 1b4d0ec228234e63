import { dirname } from "node:path";
import type { Layout } from "../../../../core/layout/layout.ts";
import { usableTracks } from "../../../../core/layout/usable-tracks.ts";
import { formatNumber } from "../../../../core/text/format-number.ts";
import type { Timers } from "../../../timers.ts";
import { markPlayed, unmarkPlayed } from "../../../disk/folder-marker.ts";
import {
  AlreadyPlacedError,
  NO_TRACK,
  ON_EARLIER_TRACK,
  TRACK_UNUSABLE,
} from "../../already-placed.ts";
import { WRITE_SCENE_TEMPO } from "../../host-settings.ts";
import {
  type HostPlace,
  HostStepError,
  LeftBehindError,
  type PlacedSound,
  type PlaceRequest,
} from "../../host.ts";
import { resolvePath } from "../../live-path.ts";
import type { SurfaceClient } from "./control-surface-client.ts";
import { leftSentence, refusalReason, SurfaceError } from "./control-surface-error.ts";
import {
  earlierTracks,
  freeRunId,
  isOfRun,
  isWhole,
  knownRunIds,
  placeLabel,
  stepsOfHeld,
  stepsOfOthers,
  unknownSentence,
} from "./earlier-run.ts";
import { findControlSurface } from "./find-control-surface.ts";
import { type LookMessage, type OutcomeMessage, readLook } from "./outcome-message.ts";
import { type PlaceMessage, planRequest } from "./plan-request.ts";
import { readPlaced } from "./read-placed.ts";
import { PlacementFiles } from "./placement-files.ts";
import { SurfaceRun } from "./surface-run.ts";

export interface SurfacePlacementDeps {
  /** Folders in which the control surface may write its port file, in order of preference. */
  readonly folders: readonly string[];
  /**
   * Copies a file into the Live project, where the Extensions SDK can.
   * @returns the copy's path, or the same path where Live made none
   */
  readonly bringFile?: (path: string) => Promise<string>;
  /** Returns the row for a scene at a place, -1 for the end. */
  readonly rowOf?: (place: HostPlace) => number;
  readonly timers: Timers;
  /** Waits some milliseconds between two attempts. */
  readonly pause: (ms: number) => Promise<void>;
}

/** The resolution of Live's tempo display. */
const TEMPO_NOISE_BPM = 0.01;
/** The time for a login while the person waits for Live, in which a menu may be open. */
const PATIENCE_MS = 60_000;

/** The placement of one layout in the Set (rules H12 to H16). */
export class SurfacePlacement {
  readonly #deps: SurfacePlacementDeps;
  readonly #request: PlaceRequest;
  readonly #files: PlacementFiles;

  constructor(deps: SurfacePlacementDeps, request: PlaceRequest) {
    this.#deps = deps;
    this.#request = request;
    this.#files = new PlacementFiles(request, deps.bringFile);
  }

  async run(): Promise<readonly PlacedSound[]> {
    const { layout, signal } = this.#request;
    signal.throwIfAborted();
    await this.#files.read();
    signal.throwIfAborted();
    const usable = this.#files.usableIn(layout);
    if (usableTracks(usable).length === 0) return this.#files.failed();
    const client = await this.#connect();
    const run = new SurfaceRun(client, {
      reconnect: () => this.#find(),
      pause: this.#deps.pause,
      signal,
      onProgress: this.#request.onProgress,
    });
    try {
      const look = readLook(await client.request("look", { run: this.#request.journal.runId }));
      const runId = this.#chooseRun(look);
      signal.throwIfAborted();
      const message = this.#plan(usable, runId, look);
      const outcome = await this.#place(run, message, client);
      if (this.#request.reuseTracks === true) this.#noteTracks(message, outcome);
      if (this.#request.sessionTempoBpm !== undefined) this.#noteTempo(await run.readTempo());
      return [...(await this.#readBack(usable, message, outcome)), ...this.#files.failed()];
    } finally {
      run.close();
    }
  }

  /** Connects as a step. @throws {UnreachableError} itself, not a refused step: Live has refused nothing */
  async #connect(): Promise<SurfaceClient> {
    const { journal, signal } = this.#request;
    let client: SurfaceClient | undefined;
    const reach = async () => {
      client = await this.#find(signal);
    };
    try {
      await journal.step("answer", reach, { leavesNothing: true });
    } catch (error) {
      signal.throwIfAborted();
      throw error instanceof HostStepError ? error.cause : error;
    }
    if (client === undefined) throw new RangeError("The step was not taken.");
    return client;
  }

  async #find(signal?: AbortSignal): Promise<SurfaceClient> {
    const { folders, timers } = this.#deps;
    return findControlSurface({
      folders,
      soundFolders: this.#soundFolders(),
      patienceMs: PATIENCE_MS,
      timers,
      ...(signal !== undefined && { signal }),
    });
  }

  /** Returns the folders with the files that the clips will play: the package's, and those of Live's copies. */
  #soundFolders(): readonly string[] {
    return [...new Set([...this.#files.audio.values()].map(({ path }) => dirname(path)))];
  }

  /**
   * Chooses the id under which to place, by the Set's content and not by the journal (rule R4).
   * @throws {AlreadyPlacedError} when an interrupted run left something that only the person can judge
   */
  #chooseRun(look: LookMessage): string {
    const { journal, layout, again } = this.#request;
    const { runId } = journal;
    const known = knownRunIds(runId, look);
    if (isOfRun(runId, look.running)) return look.running;
    if (again === true) return freeRunId(runId, new Set(known));
    if (look.outcome !== null) return runId;
    const whole = known.find((id) => isWhole(id, look));
    if (whole !== undefined) return whole;
    const left = known.flatMap((id) => stepsOfHeld(id, look));
    const steps = [...stepsOfOthers(journal.earlier), ...left];
    if (steps.length > 0) throw new AlreadyPlacedError(layout.scene.name, steps);
    return freeRunId(runId, new Set(known));
  }

  #plan(layout: Layout, runId: string, look: LookMessage): PlaceMessage {
    const { after, settings, sessionTempoBpm, reuseTracks } = this.#request;
    const { rowOf } = this.#deps;
    const isPlaceKnown = after !== undefined && rowOf !== undefined;
    return planRequest(layout, {
      runId,
      audio: this.#files.audio,
      sceneIndex: isPlaceKnown ? rowOf(after) : null,
      writesSceneTempo: settings?.[WRITE_SCENE_TEMPO.id] === true,
      setTempoBpm: sessionTempoBpm,
      earlier: reuseTracks === true ? earlierTracks(layout.packageId, look) : new Map(),
    });
  }

  /**
   * Places the layout as one step.
   * @throws {HostStepError} when Live refused it all; nothing stays
   * @throws {LeftBehindError} when something stays, or may stay
   */
  async #place(
    run: SurfaceRun,
    message: PlaceMessage,
    { welcome }: SurfaceClient,
  ): Promise<OutcomeMessage> {
    const { journal, signal } = this.#request;
    const { name } = message.scene;
    const claimed = await markPlayed(this.#files.ownPaths());
    let end: { readonly outcome: OutcomeMessage } | { readonly sentence: string } | undefined;
    const place = async () => {
      try {
        const ending = await run.place(message);
        end =
          ending.kind === "placed"
            ? { outcome: ending.outcome }
            : { sentence: unknownSentence(name, message.run, ending.look) };
      } catch (error) {
        if (!(error instanceof SurfaceError)) throw error;
        const reason = refusalReason(error, welcome);
        if (error.stays.length === 0 && error.code !== "held") {
          await unmarkPlayed(claimed);
          throw new Error(reason, { cause: error });
        }
        end = { sentence: leftSentence(name, error, reason) };
      }
      // A step that may have left something must not count as failed.
      return end !== undefined && "outcome" in end ? "placed" : "unknown";
    };
    try {
      await journal.step(placeLabel(name), place);
    } catch (error) {
      if (error instanceof HostStepError) signal.throwIfAborted();
      throw error;
    }
    if (end === undefined || "sentence" in end) throw new LeftBehindError(end?.sentence);
    const { outcome } = end;
    await unmarkPlayed(this.#notPlayed(claimed, outcome));
    const [first] = outcome.tracks.flatMap(({ error }) => error ?? []);
    if (outcome.stays.length > 0 && outcome.tracks.every(({ error }) => error !== null)) {
      throw new LeftBehindError(leftSentence(name, outcome, first?.message ?? ""));
    }
    return outcome;
  }

  /** Returns the files for which no clip was made. */
  #notPlayed(claimed: readonly string[], { tracks }: OutcomeMessage): readonly string[] {
    const made = tracks.filter(({ error }) => error === null);
    const played = new Set(made.map(({ sound }) => this.#files.ownPathOf(sound)));
    return claimed.filter((path) => !played.has(path));
  }

  /** Notes for each sound whether its clip is on the track of an earlier import (rule R15). */
  #noteTracks(asked: PlaceMessage, { tracks }: OutcomeMessage): void {
    const earlier = new Map(asked.tracks.map(({ sound, on }) => [sound, on]));
    for (const { sound, isReused } of tracks) {
      const hadTrack = typeof earlier.get(sound) === "string";
      this.#files.addNote(
        sound,
        isReused ? ON_EARLIER_TRACK : hadTrack ? TRACK_UNUSABLE : NO_TRACK,
      );
    }
  }

  /** Notes at every loop that the Set doesn't have the requested tempo (rule R6). */
  #noteTempo(tempoBpm: number | null): void {
    const { layout, sessionTempoBpm: asked } = this.#request;
    if (asked === undefined) return;
    if (tempoBpm !== null && Math.abs(tempoBpm - asked) <= TEMPO_NOISE_BPM) return;
    const got = tempoBpm === null ? "not known" : `${formatNumber(tempoBpm)} BPM`;
    const loops = layout.tracks.filter(({ kind }) => kind === "loop");
    for (const { soundId } of loops) {
      this.#files.addNote(soundId, `The Set's tempo is ${got}, not ${formatNumber(asked)} BPM.`);
    }
  }

  async #readBack(
    layout: Layout,
    asked: PlaceMessage,
    outcome: OutcomeMessage,
  ): Promise<readonly PlacedSound[]> {
    const resolved = new Map<string, string>();
    for (const { file_path: path } of outcome.tracks.map(({ holds }) => holds)) {
      // Where nothing lies at the path, the path itself is compared.
      if (path !== null) resolved.set(path, await resolvePath(path).catch(() => path));
    }
    const { audio, inProject, notes: fileNotes } = this.#files;
    return readPlaced(layout, { asked, outcome, audio, resolved, inProject, fileNotes });
  }
}
