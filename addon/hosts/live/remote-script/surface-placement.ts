import { dirname } from "node:path";
import type { Layout } from "../../../../core/layout/layout.ts";
import { usableTracks } from "../../../../core/layout/usable-tracks.ts";
import type { Timers } from "../../../concurrency/timers.ts";
import { claimPlayed, releaseFiles } from "../../../disk/folder-marker.ts";
import { AlreadyPlacedError } from "../../already-placed.ts";
import { WRITE_SCENE_TEMPO } from "../../live-settings.ts";
import { HostStepError, LeftBehindError, type PlacedSound, type PlaceRequest } from "../../host.ts";
import type { SurfaceClient } from "./control-surface-client.ts";
import { SurfaceError } from "./control-surface-error.ts";
import type { ControlSurfaceHostDeps } from "./control-surface-host.ts";
import {
  freeRunId,
  isOfRun,
  knownRunIds,
  placeLabel,
  stepsOfHeld,
  stepsOfOthers,
} from "./earlier-run.ts";
import { findControlSurface } from "./find-control-surface.ts";
import { type LookMessage, type OutcomeMessage, readLook } from "./outcome-message.ts";
import type { PlaceMessage } from "./place-message.ts";
import { planRequest } from "./plan-request.ts";
import { readPlaced } from "./read-placed.ts";
import { resolvePath } from "./sound-audio.ts";
import { PlacementFiles } from "./placement-files.ts";
import { SurfaceRun } from "./surface-run.ts";
import { leftSentence, refusalReason, unknownSentence } from "./surface-sentences.ts";

export type SurfacePlacementDeps = ControlSurfaceHostDeps &
  Required<Pick<ControlSurfaceHostDeps, "timers" | "pause">> & { readonly timers: Timers };

/** How long a login may take where the person waits for Live: a menu may be open. */
const PATIENCE_MS = 60_000;

/** One layout's way into the Set (rules H12 to H16). */
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
      const runId = await this.#chooseRun(client);
      signal.throwIfAborted();
      const message = this.#plan(usable, runId);
      const outcome = await this.#place(run, message, client);
      return [...(await this.#readBack(usable, message, outcome)), ...this.#files.failed()];
    } finally {
      run.close();
    }
  }

  /** @throws {UnreachableError} as it is: Live that isn't there has refused nothing */
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

  #find(signal?: AbortSignal): Promise<SurfaceClient> {
    const { folders, timers } = this.#deps;
    return findControlSurface({
      folders,
      soundFolders: this.#soundFolders(),
      patienceMs: PATIENCE_MS,
      timers,
      ...(signal !== undefined && { signal }),
    });
  }

  /** The folders of the files themselves: all that the control surface must open, and no more. */
  #soundFolders(): readonly string[] {
    return [...new Set([...this.#files.audio.values()].map(({ path }) => dirname(path)))];
  }

  /**
   * Decides by what the Set holds, not by the journal, under which id to place (rule R4).
   * @throws {AlreadyPlacedError} when an interrupted run left something that only the person can judge
   */
  async #chooseRun(client: SurfaceClient): Promise<string> {
    const { journal, layout, again } = this.#request;
    const look = await this.#look(client, journal.runId);
    const known = knownRunIds(journal.runId, look);
    if (look.running !== null && isOfRun(journal.runId, look.running)) return look.running;
    if (again === true) {
      const taken = new Set(known);
      if (look.outcome !== null) taken.add(journal.runId);
      return freeRunId(journal.runId, taken);
    }
    if (look.outcome !== null) return journal.runId;
    for (const runId of known) {
      if ((await this.#look(client, runId)).outcome !== null) return runId;
    }
    const left = [...stepsOfOthers(journal.earlier), ...stepsOfHeld(journal.runId, look.held)];
    if (left.length > 0) throw new AlreadyPlacedError(layout.scene.name, left);
    return journal.runId;
  }

  async #look(client: SurfaceClient, run: string): Promise<LookMessage> {
    const asked = { run, package: this.#request.layout.packageId };
    return readLook(await client.request("look", asked));
  }

  #plan(layout: Layout, runId: string): PlaceMessage {
    const { after, settings, sessionTempoBpm } = this.#request;
    const { rowOf } = this.#deps;
    const isPlaceKnown = after !== undefined && rowOf !== undefined;
    return planRequest(layout, {
      runId,
      audio: this.#files.audio,
      sceneIndex: isPlaceKnown ? rowOf(after) : null,
      writesSceneTempo: settings?.[WRITE_SCENE_TEMPO.id] === true,
      setTempoBpm: sessionTempoBpm,
    });
  }

  /**
   * Places, as one step.
   * @throws {HostStepError} when Live refused it all; nothing stays
   * @throws {LeftBehindError} when something stays, or nobody can tell
   */
  async #place(
    run: SurfaceRun,
    message: PlaceMessage,
    { welcome }: SurfaceClient,
  ): Promise<OutcomeMessage> {
    const { journal, signal } = this.#request;
    const { name } = message.scene;
    const claimed = await claimPlayed(this.#files.ownPaths());
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
        if (error.code === "left") end = { sentence: leftSentence(name, error) };
        else if (error.code === "gone")
          end = { sentence: unknownSentence(name, message.run, undefined) };
        else throw new Error(refusalReason(error, welcome), { cause: error });
      }
      // A step that may have left something must not count as failed.
      return end !== undefined && "outcome" in end ? "placed" : "unknown";
    };
    try {
      await journal.step(placeLabel(name), place);
    } catch (error) {
      await releaseFiles(claimed);
      signal.throwIfAborted();
      throw error;
    }
    if (end === undefined || "sentence" in end) throw new LeftBehindError(end?.sentence);
    await releaseFiles(this.#notPlayed(claimed, end.outcome));
    return end.outcome;
  }

  /** Returns those files of which no clip was made. */
  #notPlayed(claimed: readonly string[], { tracks }: OutcomeMessage): readonly string[] {
    const made = tracks.filter(({ error }) => error === null);
    const played = new Set(made.map(({ sound }) => this.#files.ownPathOf(sound)));
    return claimed.filter((path) => !played.has(path));
  }

  async #readBack(
    layout: Layout,
    asked: PlaceMessage,
    outcome: OutcomeMessage,
  ): Promise<readonly PlacedSound[]> {
    const resolved = new Map<string, string>();
    for (const { holds } of outcome.tracks) {
      // Where nothing lies at the path, the path itself is the difference.
      if (holds.file !== null)
        resolved.set(holds.file, await resolvePath(holds.file).catch(() => holds.file ?? ""));
    }
    const { audio, inProject, notes: fileNotes } = this.#files;
    return readPlaced(layout, { asked, outcome, audio, resolved, inProject, fileNotes });
  }
}
