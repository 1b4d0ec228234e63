import { removeCopy } from "./gained-copy.ts";
import type { LiveScene, LiveSong, LiveTrack } from "./live-api.ts";
import type { LiveSound } from "./live-sound.ts";
import { isGoneFrom, readIfAny, readList, readText } from "./live-values.ts";
import { type LiveRun, type LiveStep, runInTransaction } from "./run-in-transaction.ts";

/** The scene and the tracks that a run has made in the Set, so that they can be removed (rule H7). */
export class MadeInSet {
  scene: LiveScene | undefined;
  readonly tracks = new Set<LiveTrack>();
  readonly #run: LiveRun;

  constructor(run: LiveRun) {
    this.#run = run;
  }

  /** Removes the tracks of failed sounds, and their gained copies. */
  async removeFailed(sounds: readonly LiveSound[]): Promise<void> {
    const failed = sounds.filter(
      (sound) => sound.error !== undefined && sound.isOnOneOf(this.tracks),
    );
    await runInTransaction(
      this.#run,
      failed.map(({ track }) => this.#trackRemoval(track)),
    );
    this.#forgetGone();
    await removeCopies(failed);
  }

  /** Removes everything as one undo step, with unplayed gained copies; returns the names of things that stay. */
  async removeAll(sounds: readonly LiveSound[]): Promise<readonly string[]> {
    const { scene } = this;
    const names = new Map<LiveTrack | LiveScene, string>();
    for (const thing of [...this.tracks, ...(scene === undefined ? [] : [scene])]) {
      names.set(thing, nameOf(thing));
    }
    const steps = [...this.tracks].map((track) => this.#trackRemoval(track));
    if (scene !== undefined) steps.push(this.#sceneRemoval(scene));
    // A step that couldn't be recorded wasn't taken: its object stays.
    await runInTransaction(this.#run, steps).catch(() => undefined);
    this.#forgetGone();
    await removeCopies(sounds.filter((sound) => !this.#isPlayed(sound)));
    return [...names].flatMap(([thing, name]) => (this.#isThere(thing) ? [name] : []));
  }

  /** Forgets things that the user removed meanwhile: Live couldn't remove them again. */
  #forgetGone(): void {
    const { tracks, scene } = this;
    const allTracks = readList(() => this.#song.tracks);
    const allScenes = readList(() => this.#song.scenes);
    for (const track of tracks) if (isGoneFrom(allTracks, track)) tracks.delete(track);
    if (scene !== undefined && isGoneFrom(allScenes, scene)) this.scene = undefined;
  }

  /** Checks whether a clip may play. A clip is gone with its track or scene, even if its object still answers. */
  #isPlayed(sound: LiveSound): boolean {
    const mayBeThere = this.scene !== undefined && sound.isOnOneOf(this.tracks);
    return mayBeThere && readIfAny(() => sound.clip) !== undefined;
  }

  #isThere(thing: LiveTrack | LiveScene): boolean {
    return thing === this.scene || [...this.tracks].some((track) => track === thing);
  }

  #trackRemoval(track: LiveTrack): LiveStep {
    return {
      label: `remove the track ${nameOf(track)}`,
      act: async () => {
        await this.#song.deleteTrack(track);
        this.tracks.delete(track);
      },
    };
  }

  #sceneRemoval(scene: LiveScene): LiveStep {
    return {
      label: `remove the scene ${nameOf(scene)}`,
      act: async () => {
        await this.#song.deleteScene(scene);
        this.scene = undefined;
      },
    };
  }

  get #song(): LiveSong {
    return this.#run.live.application.song;
  }
}

/** Returns the current name of a track or scene; a new scene has none yet. */
function nameOf(thing: LiveTrack | LiveScene): string {
  return readText(() => thing.name) || "without a name";
}

async function removeCopies(sounds: readonly LiveSound[]): Promise<void> {
  for (const { file } of sounds) if (file.kind === "gained copy") await removeCopy(file.path);
}
