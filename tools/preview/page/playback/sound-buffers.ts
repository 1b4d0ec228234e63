import { OUTLINE_BYTES } from "../../../../core/page/sound-limits.ts";
import { KeptSounds } from "../../../../web/kept-sounds.ts";

/** Gets the bytes of a sound's WAV. */
export type FetchSound = (
  sceneKey: string,
  soundId: string,
  revision: string,
) => Promise<ArrayBuffer>;

/** The sounds of all scenes, decoded when they are asked for; a new revision is a new sound. */
export class SoundBuffers {
  readonly #fetchSound: FetchSound;
  readonly #kept = new KeptSounds();

  constructor(fetchSound: FetchSound) {
    this.#fetchSound = fetchSound;
  }

  /**
   * A whole sound, ready to play.
   * @throws {Error} with a sentence
   */
  decoded(sceneKey: string, soundId: string, revision: string): Promise<AudioBuffer> {
    return this.#kept.decoded(...this.#wanted(sceneKey, soundId, revision));
  }

  /**
   * Peaks from 0 to 1, fetched once, one sound after another; none where the file is large.
   * @param bytes of its file
   * @throws {Error} with a sentence
   */
  async outline(
    sceneKey: string,
    soundId: string,
    revision: string,
    bytes: number,
  ): Promise<readonly number[]> {
    if (bytes > OUTLINE_BYTES) return [];
    return this.#kept.outline(...this.#wanted(sceneKey, soundId, revision));
  }

  #wanted(...place: Parameters<FetchSound>): [key: string, fetch: () => Promise<ArrayBuffer>] {
    return [JSON.stringify(place), () => this.#fetchSound(...place)];
  }
}
