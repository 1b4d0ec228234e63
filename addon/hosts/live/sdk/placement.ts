import { basename } from "node:path";
import { usableTracks } from "../../../../core/layout/usable-tracks.ts";
import type { PlacedSound } from "../../../../core/report/placed-sound.ts";
import { LeftBehindError, type PlaceRequest } from "../../host.ts";
import { clipSettingSteps, makeClips, settleWarp } from "./make-clips.ts";
import { SetTempo, tempoNotes, warpTolerances } from "./tempo.ts";
import type { LiveContext } from "./live-api.ts";
import { CORRECT_TEMPO } from "../../host-settings.ts";
import { LiveSound } from "./live-sound.ts";
import { readText } from "./live-values.ts";
import { MadeInSet } from "./made-in-set.ts";
import { bakeRefusedGains, correctTempi, makeCutClipsAgain } from "./make-again.ts";
import { readBack, uncheckedOf } from "./read-back.ts";
import { makeSceneAndTracks } from "./scene-and-tracks.ts";
import { bringFile, readWavSeconds, tryGainedCopy } from "./sound-file.ts";
import { type LiveRun, type LiveStep, runInTransaction } from "./run-in-transaction.ts";
import { gainNotes, isWithinVolumeRange, volumeStep } from "./volume.ts";

/**
 * Places a layout in the Set: one scene, and a track with one clip per usable sound (rules H1 to H7).
 * Undoes everything on failure.
 * @throws {HostStepError} when Live refuses to make the scene or a track
 * @throws {LeftBehindError} when it failed and something stays in the Set
 * @throws {unknown} the signal's reason
 */
export async function placeInLive(
  live: LiveContext,
  request: PlaceRequest,
): Promise<readonly PlacedSound[]> {
  const placement = new Placement(live, request);
  try {
    await placement.make();
    await placement.configure();
    return await placement.readBack();
  } catch (error) {
    if (error instanceof LeftBehindError) throw error;
    const stays = await placement.undo();
    if (stays === undefined) throw error;
    const reason = error instanceof Error ? error.message : "The import failed.";
    throw new LeftBehindError(`${reason} ${stays}`, { cause: error });
  }
}

class Placement {
  readonly #request: PlaceRequest;
  readonly #run: LiveRun;
  readonly #sounds: readonly LiveSound[];
  readonly #made: MadeInSet;
  readonly #tempo: SetTempo;
  /** The error when Live refused to name the scene. */
  #sceneRefusal: string | undefined;

  constructor(live: LiveContext, request: PlaceRequest) {
    this.#request = request;
    this.#run = { live, journal: request.journal, signal: request.signal };
    this.#sounds = soundsOf(request);
    this.#made = new MadeInSet(this.#run);
    this.#tempo = new SetTempo(this.#run);
  }

  /** Makes scene, tracks and clips. */
  async make(): Promise<void> {
    const { layout, after, signal } = this.#request;
    signal.throwIfAborted();
    for (const sound of this.#sounds) {
      await this.#bringFile(sound);
      signal.throwIfAborted();
    }
    await this.#setTempo();
    signal.throwIfAborted();
    await makeSceneAndTracks(this.#run, this.#made, this.#sounds, {
      name: layout.scene.name,
      after,
    });
    signal.throwIfAborted();
    await this.#makeClips();
    signal.throwIfAborted();
    await this.#dropFailed();
  }

  /** Sets everything that requires existing clips. */
  async configure(): Promise<void> {
    const sounds = this.#sounds.filter(isInSet);
    const steps = sounds.flatMap((sound) => [...clipSettingSteps(sound), volumeStep(sound)]);
    await runInTransaction(this.#run, steps);
    this.#request.signal.throwIfAborted();
    await settleWarp(this.#run, sounds);
    await makeCutClipsAgain(this.#run, sounds);
    this.#request.signal.throwIfAborted();
    await bakeRefusedGains(this.#run, sounds.filter(isInSet));
    if (this.#request.settings?.[CORRECT_TEMPO.id] === true) {
      await correctTempi(this.#run, sounds.filter(isInSet), this.#tempo);
    }
    await this.#dropFailed();
  }

  /** Reads each sound back (rule H4). */
  async readBack(): Promise<readonly PlacedSound[]> {
    const sceneNotes = this.#sceneNotes();
    const placed: PlacedSound[] = [];
    for (const sound of this.#sounds) placed.push(await this.#placed(sound, sceneNotes));
    this.#request.signal.throwIfAborted();
    return placed;
  }

  /** Removes everything; returns a sentence that names the things that stay, if any. */
  async undo(): Promise<string | undefined> {
    const stays = [...(await this.#made.removeAll(this.#sounds))];
    const isTempoBack = await this.#tempo.putBack().catch(() => false);
    if (!isTempoBack) stays.push(`the tempo of ${this.#tempo.read() ?? "?"} BPM`);
    return stays.length === 0 ? undefined : `Still in the Set: ${stays.join(", ")}.`;
  }

  async #bringFile(sound: LiveSound): Promise<void> {
    const { gainDb } = sound.plan;
    const copy = isWithinVolumeRange(gainDb)
      ? undefined
      : await tryGainedCopy(this.#run, sound, gainDb);
    sound.file = await bringFile(this.#run, sound, copy);
    sound.fileSeconds = await readWavSeconds(sound.path);
  }

  /** Sets the requested tempo (rule R6). */
  async #setTempo(): Promise<void> {
    const { sessionTempoBpm } = this.#request;
    if (sessionTempoBpm === undefined) return;
    const problem = await this.#tempo.set(sessionTempoBpm);
    if (problem === undefined) return;
    for (const { plan, notes } of this.#sounds) if (plan.kind === "loop") notes.push(problem);
  }

  async #makeClips(): Promise<void> {
    const { layout, onProgress } = this.#request;
    const { scene } = this.#made;
    let placed = 0;
    const reportOne = ({ plan }: LiveSound) => {
      placed += 1;
      onProgress(placed, this.#sounds.length, plan.soundId);
    };
    const names: readonly LiveStep[] = [
      {
        label: `name the scene ${layout.scene.name}`,
        act: () => scene && (scene.name = layout.scene.name),
        refused: ({ message }) => (this.#sceneRefusal = message),
      },
      ...this.#sounds.map((sound) => ({
        label: `name the track ${sound.plan.trackName}`,
        act: () => (sound.track.name = sound.plan.trackName),
      })),
    ];
    await makeClips(this.#run, this.#sounds, { before: names, settled: reportOne });
  }

  /** Removes the tracks of failed sounds; undoes everything when no sound is left. */
  async #dropFailed(): Promise<void> {
    await this.#made.removeFailed(this.#sounds);
    if (!this.#sounds.some(isInSet)) {
      const stays = await this.undo();
      if (stays !== undefined) throw new LeftBehindError(`${this.#sounds[0]?.error} ${stays}`);
    }
    this.#request.signal.throwIfAborted();
  }

  async #placed(sound: LiveSound, sceneNotes: readonly string[]): Promise<PlacedSound> {
    const { plan, error } = sound;
    const { soundId } = plan;
    if (error !== undefined) {
      const stays = sound.isOnOneOf(this.#made.tracks) ? " Its empty track stays." : "";
      return { soundId, error: error + stays };
    }
    const holds = await readBack(this.#run.live.application.song, sound);
    if (holds === undefined) {
      return { soundId, error: `Live doesn't have the clip ${plan.clipName}.` };
    }
    return {
      soundId,
      holds,
      ...(sound.file.kind === "gained copy" && { plays: basename(sound.file.path) }),
      tolerances: warpTolerances(plan),
      unchecked: uncheckedOf(plan, holds),
      notes: [
        ...sound.notes,
        ...tempoNotes(plan, holds),
        ...gainNotes(sound, holds.gainDb),
        ...sceneNotes,
      ],
    };
  }

  /** Notes that the scene's name differs. It belongs to no sound, so every sound gets the note. */
  #sceneNotes(): readonly string[] {
    const { name } = this.#request.layout.scene;
    const held = readText(() => this.#made.scene?.name);
    if (held === undefined || held === name) return [];
    return [this.#sceneRefusal ?? `Its scene is called “${held}”, not “${name}”.`];
  }
}

function soundsOf({ layout, files }: PlaceRequest): readonly LiveSound[] {
  return usableTracks(layout).map((sound) => {
    const path = files.get(sound.soundId);
    if (path === undefined) throw new RangeError(`${sound.soundId} has no file.`);
    return new LiveSound(sound, path);
  });
}

function isInSet({ error }: LiveSound): boolean {
  return error === undefined;
}
