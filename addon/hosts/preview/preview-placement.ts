import type { TrackPlan } from "../../../core/layout/layout.ts";
import { usableTracks } from "../../../core/layout/usable-tracks.ts";
import { HostStepError, LeftBehindError, type PlaceRequest } from "../host.ts";
import { NO_TRACK, ON_EARLIER_TRACK } from "../already-placed.ts";
import type { PreviewCalls, PreviewClip, PreviewTrack, RunTag } from "./preview-session.ts";
import { PreviewTempo } from "./preview-tempo.ts";

interface Placed {
  /** Errors by sound id; nothing of such a sound stays. */
  readonly errors: ReadonlyMap<string, string>;
  /** Notes in sentences, by sound id (rules R6, R15). */
  readonly notes: ReadonlyMap<string, readonly string[]>;
}

/**
 * Builds a layout in a session: a requested tempo, the scene, then each sound's track and clip. It resumes
 * an unfinished run.
 * @throws {LeftBehindError} when it failed and couldn't be undone
 */
export async function placeInPreview(
  session: PreviewCalls,
  request: PlaceRequest,
): Promise<Placed> {
  const placement = new Placement(session, request);
  try {
    return await placement.run();
  } catch (error) {
    await placement.undo(error);
    throw error;
  }
}

class Placement {
  readonly #session: PreviewCalls;
  readonly #request: PlaceRequest;
  readonly #tag: RunTag;
  readonly #tempo: PreviewTempo;

  constructor(session: PreviewCalls, request: PlaceRequest) {
    this.#session = session;
    this.#request = request;
    this.#tag = { package_id: request.layout.packageId, run_id: request.journal.runId };
    this.#tempo = new PreviewTempo(session, request.journal);
  }

  async run(): Promise<Placed> {
    const { layout, signal, onProgress, sessionTempoBpm } = this.#request;
    const sounds = usableTracks(layout);
    const errors = new Map<string, string>();
    signal.throwIfAborted();
    const note = sessionTempoBpm === undefined ? undefined : await this.#tempo.set(sessionTempoBpm);
    await this.#request.journal.together(this.#stepsFor(sounds), async () => {
      const sceneId = await this.#makeScene();
      for (const [index, sound] of sounds.entries()) {
        signal.throwIfAborted();
        try {
          await this.#placeSound(sound, sceneId);
        } catch (error) {
          if (!(error instanceof HostStepError)) throw error;
          errors.set(sound.soundId, error.message + (await this.#clearAway(sound.soundId)));
        }
        onProgress(index + 1, sounds.length, sound.soundId);
      }
      signal.throwIfAborted();
    });
    const notesOf = ({ kind, soundId }: TrackPlan) => [
      ...(kind === "loop" && note !== undefined ? [note] : []),
      ...this.#trackNotes(soundId),
    ];
    return { errors, notes: new Map(sounds.map((sound) => [sound.soundId, notesOf(sound)])) };
  }

  /** Removes everything of this run and restores the tempo. */
  async undo(cause: unknown): Promise<void> {
    const outcomes = await Promise.allSettled([this.#removeAll(), this.#tempo.putBack()]);
    const failure = outcomes.find((outcome) => outcome.status === "rejected");
    if (failure === undefined) return;
    throw new LeftBehindError([reasonOf(cause), ...this.#whatStays()].join(" "), {
      cause: failure.reason,
    });
  }

  async #removeAll(): Promise<void> {
    const { tracks } = this.#session.state;
    for (const track of tracks.filter((each) => this.#isReused(each))) await this.#leave(track);
    for (const track of this.#ownTracks()) await this.#removeTrack(track.sound_id);
    const scene = this.#ownScene();
    if (scene === undefined) return;
    const { journal } = this.#request;
    await journal.step(`remove the scene ${scene.name}`, () => this.#session.deleteScene(scene.id));
  }

  #whatStays(): readonly string[] {
    const names = [this.#ownScene(), ...this.#ownTracks()].flatMap((made) => made?.name ?? []);
    return [
      ...(names.length > 0 ? [`Still in the session: ${names.join(", ")}.`] : []),
      ...this.#tempo.whatStays(),
    ];
  }

  /** Lists the steps that are left of these sounds. */
  #stepsFor(sounds: readonly TrackPlan[]): readonly string[] {
    const scene = this.#ownScene();
    const steps = scene === undefined ? [this.#makesScene] : [];
    for (const sound of sounds) {
      const track = this.#trackFor(sound);
      if (track === undefined) steps.push(makesTrack(sound));
      if (
        scene === undefined ||
        track === undefined ||
        !Object.hasOwn(track.clip_slots, scene.id)
      ) {
        steps.push(makesClip(sound));
      }
    }
    return steps;
  }

  get #makesScene(): string {
    return `make the scene ${this.#request.layout.scene.name}`;
  }

  async #makeScene(): Promise<number> {
    const found = this.#ownScene();
    if (found !== undefined) return found.id;
    const { name } = this.#request.layout.scene;
    return this.#request.journal.step(this.#makesScene, () =>
      this.#session.createScene({ name, ...this.#tag }),
    );
  }

  #trackFor({ soundId }: TrackPlan): PreviewTrack | undefined {
    return this.#ownTrack(soundId) ?? this.#earlierTrack(soundId);
  }

  async #placeSound(sound: TrackPlan, sceneId: number): Promise<void> {
    const { journal, files } = this.#request;
    const file = files.get(sound.soundId);
    if (file === undefined) throw new RangeError(`${sound.soundId} has no file.`);
    const found = this.#trackFor(sound);
    const trackId =
      found?.id ??
      (await journal.step(makesTrack(sound), () =>
        this.#session.createTrack(
          { name: sound.trackName, sound_id: sound.soundId, ...this.#tag },
          this.#placeOf(sound),
        ),
      ));
    if (found !== undefined && Object.hasOwn(found.clip_slots, sceneId)) return;
    await journal.step(makesClip(sound), () =>
      this.#session.createClip(trackId, sceneId, clipOf(sound, file)),
    );
  }

  /** Removes the track of a failed sound; returns a suffix for its error. */
  async #clearAway(soundId: string): Promise<string> {
    try {
      await this.#removeTrack(soundId);
      return "";
    } catch (error) {
      if (!(error instanceof HostStepError)) throw error;
      return " Its empty track stays.";
    }
  }

  async #removeTrack(soundId: string): Promise<void> {
    const earlier = this.#earlierTrack(soundId);
    if (earlier !== undefined && this.#isReused(earlier)) await this.#leave(earlier);
    const track = this.#ownTrack(soundId);
    if (track === undefined) return;
    await this.#request.journal.step(`remove the track ${track.name}`, () =>
      this.#session.deleteTrack(track.id),
    );
  }

  /** Restores the track of an earlier run. */
  async #leave(track: PreviewTrack): Promise<void> {
    const sceneId = this.#ownScene()?.id;
    if (sceneId === undefined) return;
    await this.#request.journal.step(`remove the clip on the track ${track.name}`, () =>
      this.#session.deleteClip(track.id, sceneId),
    );
  }

  #trackNotes(soundId: string): readonly string[] {
    if (this.#request.reuseTracks !== true) return [];
    return [this.#ownTrack(soundId) === undefined ? ON_EARLIER_TRACK : NO_TRACK];
  }

  /** Returns the index of the first own track that is later in the layout, else the end. */
  #placeOf(sound: TrackPlan): number {
    const { tracks } = this.#session.state;
    const order = this.#request.layout.tracks.map(({ soundId }) => soundId);
    const later = new Set(order.slice(order.indexOf(sound.soundId) + 1));
    const index = tracks.findIndex((track) => this.#isOwn(track) && later.has(track.sound_id));
    return index === -1 ? tracks.length : index;
  }

  #ownScene() {
    return this.#session.state.scenes.find((scene) => this.#isOwn(scene));
  }

  #ownTracks(): readonly PreviewTrack[] {
    return this.#session.state.tracks.filter((track) => this.#isOwn(track));
  }

  #ownTrack(soundId: string): PreviewTrack | undefined {
    return this.#ownTracks().find((track) => track.sound_id === soundId);
  }

  /** Returns an earlier run's track for a sound: one with this run's clip, or the latest if tracks are reused. */
  #earlierTrack(soundId: string): PreviewTrack | undefined {
    const { package_id: packageId } = this.#tag;
    const earlier = this.#session.state.tracks.filter(
      (track) =>
        track.package_id === packageId && track.sound_id === soundId && !this.#isOwn(track),
    );
    const begun = earlier.find((track) => this.#isReused(track));
    return begun ?? (this.#request.reuseTracks === true ? earlier.at(-1) : undefined);
  }

  /** Checks whether a track of an earlier run has a clip of this run. */
  #isReused(track: PreviewTrack): boolean {
    const sceneId = this.#ownScene()?.id;
    return !this.#isOwn(track) && sceneId !== undefined && Object.hasOwn(track.clip_slots, sceneId);
  }

  #isOwn(tag: RunTag): boolean {
    return tag.package_id === this.#tag.package_id && tag.run_id === this.#tag.run_id;
  }
}

function makesTrack({ trackName }: TrackPlan): string {
  return `make the track ${trackName}`;
}

function makesClip({ clipName }: TrackPlan): string {
  return `make the clip ${clipName}`;
}

function clipOf(sound: TrackPlan, file: string): PreviewClip {
  return {
    name: sound.clipName,
    file,
    warping: sound.warping,
    warp_mode: sound.warpMode,
    looping: sound.looping,
    loop_beats: sound.loopEndBeats,
    tempo_bpm: sound.tempoBpm,
    color_index: sound.colorIndex,
    gain_db: sound.gainDb,
  };
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : "The import failed.";
}
