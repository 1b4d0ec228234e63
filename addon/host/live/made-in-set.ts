import type { LiveScene, LiveSong, LiveTrack } from "./live-api.ts";
import type { LiveSound } from "./live-sound.ts";
import { readText } from "./live-values.ts";
import { removeCopy } from "./sound-file.ts";
import { type LiveRun, type LiveStep, takeTogether } from "./take-together.ts";

/** What a run has made in the Set and still has there, so that it can be removed again (rule H7). */
export class MadeInSet {
  scene: LiveScene | undefined;
  readonly tracks = new Set<LiveTrack>();
  readonly #run: LiveRun;

  constructor(run: LiveRun) {
    this.#run = run;
  }

  /** Removes the tracks of sounds that failed, and the copies that were made for them. */
  async removeFailed(sounds: readonly LiveSound[]): Promise<void> {
    const failed = sounds.filter(
      ({ error, track }) => error !== undefined && this.tracks.has(track),
    );
    await takeTogether(
      this.#run,
      failed.map(({ track }) => this.#trackRemoval(track)),
    );
    for (const sound of failed) {
      if (this.tracks.has(sound.track)) sound.error += " Its empty track stays.";
    }
    await removeCopies(failed);
  }

  /**
   * Removes everything, as one undo step.
   * @returns the names of what stays in the Set, for whatever reason
   */
  async removeAll(sounds: readonly LiveSound[]): Promise<readonly string[]> {
    const { scene } = this;
    const names = new Map<LiveTrack | LiveScene, string>();
    for (const thing of [...this.tracks, ...(scene === undefined ? [] : [scene])]) {
      names.set(thing, nameOf(thing));
    }
    const steps = [...this.tracks].map((track) => this.#trackRemoval(track));
    if (scene !== undefined) steps.push(this.#sceneRemoval(scene));
    // What could not be written down was not done, and stays.
    await takeTogether(this.#run, steps).catch(() => undefined);
    await removeCopies(sounds);
    return [...names].flatMap(([thing, name]) => (this.#isThere(thing) ? [name] : []));
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

/** As the person sees it now; a new scene has none until it is given one. */
function nameOf(thing: LiveTrack | LiveScene): string {
  return readText(() => thing.name) || "without a name";
}

async function removeCopies(sounds: readonly LiveSound[]): Promise<void> {
  for (const { file } of sounds) if (file.kind === "gained copy") await removeCopy(file.path);
}
