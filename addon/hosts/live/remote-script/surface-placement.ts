import type { Layout } from "../../../../core/layout/layout.ts";
import { usableTracks } from "../../../../core/layout/usable-tracks.ts";
import type { Timers } from "../../../timers.ts";
import { markPlayed, unmarkPlayed } from "../../../disk/folder-marker.ts";
import { AlreadyPlacedError } from "../../already-placed.ts";
import { WRITE_SCENE_TEMPO } from "../../host-settings.ts";
import type { PlacedSound } from "../../../../core/report/placed-sound.ts";
import { type HostPlace, HostStepError, LeftBehindError, type PlaceRequest } from "../../host.ts";
import { resolvePath } from "../../live-path.ts";
import type { SurfaceClient } from "./control-surface-client.ts";
import {
  leftSentence,
  refusalReason,
  SurfaceError,
  UnreachableError,
} from "./control-surface-error.ts";
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
import { LateLook } from "./late-look.ts";
import { isLimited, type LiveLimits } from "./live-limits.ts";
import { type LiveVersion, unsupportedSentence } from "./live-version.ts";
import { type LookMessage, type OutcomeMessage, readLook } from "./outcome-message.ts";
import { type PlaceMessage, planRequest } from "./plan-request.ts";
import { readPlaced } from "./read-placed.ts";
import { PlacementFiles } from "./placement-files.ts";
import { noteTempo, noteTracks } from "./placement-notes.ts";
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
  /** Keeps what Live refuses for lack of room. */
  readonly limits: LiveLimits;
  /** Returns the secret of the control surface to use, where several Lives run. */
  readonly preferred: () => string | undefined;
  /** Returns the open connection to the control surface with a secret. */
  readonly connectionTo: (secret: string) => Promise<SurfaceClient | undefined>;
  readonly timers: Timers;
  /** Waits some milliseconds between two attempts. */
  readonly pause: (ms: number) => Promise<void>;
}

/** The time for a login while the person waits for Live, in which a menu may be open. */
const PATIENCE_MS = 60_000;

/** The result of a placement. */
export interface Placement {
  readonly placed: readonly PlacedSound[];
  /** The later looks at what was placed; undefined where nothing was. */
  readonly lateLook?: LateLook;
}

/** A placement as it was asked for. */
interface Asked {
  readonly layout: Layout;
  readonly message: PlaceMessage;
  readonly live: LiveVersion;
  /** The number of scenes that the Set had before. */
  readonly scenes: number;
}

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

  async run(): Promise<Placement> {
    const { layout, signal } = this.#request;
    signal.throwIfAborted();
    await this.#files.read();
    signal.throwIfAborted();
    const usable = this.#files.usableIn(layout);
    if (usableTracks(usable).length === 0) return { placed: this.#files.failed() };
    const client = await this.#connect();
    const { secret, welcome: live } = client;
    const run = new SurfaceRun(client, {
      reconnect: () => this.#find(secret),
      pause: this.#deps.pause,
      signal,
      onProgress: this.#request.onProgress,
    });
    try {
      const look = readLook(await client.request("look", { run: this.#request.journal.runId }));
      const runId = this.#chooseRun(look);
      signal.throwIfAborted();
      const message = this.#plan(usable, runId, look);
      const outcome = await this.#place(run, message, live);
      const asked = { layout: usable, message, live, scenes: look.scenes.length };
      await this.#noteLimits(asked, outcome);
      if (this.#request.reuseTracks === true) noteTracks(this.#files, message, outcome);
      const { sessionTempoBpm } = this.#request;
      if (sessionTempoBpm !== undefined) {
        noteTempo(this.#files, layout, { asked: sessionTempoBpm, got: await run.readTempo() });
      }
      const lateLook = new LateLook({
        run: message.run,
        connect: () => this.#deps.connectionTo(secret),
        read: (later) => this.#readBack(asked, later),
        pause: this.#deps.pause,
      });
      return { placed: await this.#readBack(asked, outcome), lateLook };
    } finally {
      run.close();
    }
  }

  /**
   * Connects as a step.
   * @throws {UnreachableError} itself, not a refused step: Live has refused nothing; `unsupported`, too
   */
  async #connect(): Promise<SurfaceClient> {
    const { journal, signal } = this.#request;
    let client: SurfaceClient | undefined;
    const reach = async () => {
      client = await this.#find(this.#deps.preferred(), signal);
      const { welcome } = client;
      if (welcome.makesClips) return;
      client.close();
      throw new UnreachableError("unsupported", unsupportedSentence(welcome));
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

  /** @param preferred the secret of the control surface to find, if it still runs */
  async #find(preferred: string | undefined, signal?: AbortSignal): Promise<SurfaceClient> {
    const { folders, timers } = this.#deps;
    return findControlSurface({
      folders,
      preferred,
      soundFolders: this.#files.folders(),
      patienceMs: PATIENCE_MS,
      timers,
      ...(signal !== undefined && { signal }),
    });
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
  async #place(run: SurfaceRun, message: PlaceMessage, live: LiveVersion): Promise<OutcomeMessage> {
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
        const { limit } = error;
        if (limit !== undefined && isLimited(limit.what)) {
          await this.#deps.limits.note(live, limit.what, limit.count);
        }
        const reason = refusalReason(error, live);
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
    const made = tracks.filter(({ error, skipped }) => error === null && skipped === null);
    const played = new Set(made.map(({ sound }) => this.#files.ownPathOf(sound)));
    return claimed.filter((path) => !played.has(path));
  }

  /** Keeps what Live had no room for (rule H23). */
  async #noteLimits({ live, scenes }: Asked, { scene, tracks }: OutcomeMessage): Promise<void> {
    const { limits } = this.#deps;
    if (scene.isTaken) await limits.note(live, "scenes", scenes);
    const [skipped] = tracks.flatMap((track) => track.skipped ?? []);
    if (skipped !== undefined && isLimited(skipped.what)) {
      await limits.note(live, skipped.what, skipped.count);
    }
  }

  async #readBack(asked: Asked, outcome: OutcomeMessage): Promise<readonly PlacedSound[]> {
    const { layout, message, live, scenes } = asked;
    const resolved = new Map<string, string>();
    for (const { file_path: path } of outcome.tracks.map(({ holds }) => holds)) {
      // Where nothing lies at the path, the path itself is compared.
      if (path !== null) resolved.set(path, await resolvePath(path).catch(() => path));
    }
    const { audio, inProject, notes: fileNotes } = this.#files;
    const files = { audio, resolved, inProject, fileNotes };
    const placed = readPlaced(layout, { asked: message, outcome, live, scenes, ...files });
    return [...placed, ...this.#files.failed()];
  }
}
