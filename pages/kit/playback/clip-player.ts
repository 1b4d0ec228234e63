import type { ClipAudio } from "../clip-list/clip-row.ts";
import type { PlayableTrack } from "./plan-playback.ts";
import type { ScenePlayer } from "./scene-player.ts";

/** A sound of a clip list, in the form that the player takes. */
export interface PlayableClip {
  /** Key of the package or scene, for `FetchSound`. */
  readonly sceneKey: string;
  readonly track: PlayableTrack;
}

interface ClipPlayerDeps {
  /** A player that may play scenes, too; one scene or one clip is heard at a time. */
  readonly player: ScenePlayer;
  /** Returns the sound of a row; null if it can't be played. */
  readonly clipOf: (key: string) => PlayableClip | null;
  /** Returns the tempo at which loops are heard now, such as the session's; null means each loop's own. */
  readonly tempoNow: () => number | null;
}

/** Plays the clips of a list, one at a time: loops warped to a tempo, one-shots unwarped (rule V14). */
export class ClipPlayer implements ClipAudio {
  readonly #deps: ClipPlayerDeps;

  constructor(deps: ClipPlayerDeps) {
    this.#deps = deps;
  }

  /** Returns peaks from 0 to 1; empty for a large file. */
  outline(key: string): Promise<readonly number[]> {
    const { sceneKey, track } = this.#clip(key);
    return this.#deps.player.sounds.outline(sceneKey, track.id, track.revision, track.bytes);
  }

  /** Starts the clip, or stops it while it plays. @throws {Error} with a sentence if it can't be played */
  async toggle(key: string): Promise<void> {
    const { player } = this.#deps;
    if (this.isPlaying(key)) {
      player.stop();
      return;
    }
    const { sceneKey, track } = this.#clip(key);
    await player.play(playerKey(key), [track], this.#tempoOf(track), {
      at: "once",
      soundsOf: sceneKey,
    });
    const { sceneKey: playing, errors } = player.view;
    const error = errors.get(track.id);
    // Another clip was started meanwhile.
    if (error === undefined || (playing !== null && !this.isPlaying(key))) return;
    player.stop();
    throw new Error(error);
  }

  isPlaying(key: string): boolean {
    return this.#deps.player.view.sceneKey === playerKey(key);
  }

  /** Checks whether the clip plays as part of its scene. */
  isMoving(key: string): boolean {
    const { sceneKey, isLoading } = this.#deps.player.view;
    return !isLoading && sceneKey !== null && this.#deps.clipOf(key)?.sceneKey === sceneKey;
  }

  position(key: string): number | null {
    const clip = this.isPlaying(key) || this.isMoving(key) ? this.#deps.clipOf(key) : null;
    if (clip === null) return null;
    const { id, frames, sampleRateHz } = clip.track;
    const seconds = this.#deps.player.filePosition(id);
    return seconds === null ? null : Math.min(1, (seconds * sampleRateHz) / frames);
  }

  subscribe(listener: () => void): () => void {
    return this.#deps.player.subscribe(listener);
  }

  /** Applies a change of the tempo, on the beat. Call it when `tempoNow` changes. */
  retune(keys: Iterable<string>): void {
    for (const key of keys) {
      const clip = this.isPlaying(key) ? this.#deps.clipOf(key) : null;
      if (clip !== null) this.#deps.player.setTempo(this.#tempoOf(clip.track));
    }
  }

  #tempoOf({ tempo_bpm: ownBpm, loop_beats: beats, frames, sampleRateHz }: PlayableTrack): number {
    const fromLength = beats === null ? 120 : (beats * 60 * sampleRateHz) / frames;
    return this.#deps.tempoNow() ?? ownBpm ?? fromLength;
  }

  #clip(key: string): PlayableClip {
    const clip = this.#deps.clipOf(key);
    if (clip === null) throw new Error(`There is no sound ${key}.`);
    return clip;
  }
}

/** Returns the player's key of a single clip; no scene of a package has such a key. */
function playerKey(key: string): string {
  return JSON.stringify({ clip: key });
}
