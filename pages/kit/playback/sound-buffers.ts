import { OUTLINE_BYTES } from "../../../core/audio/sound-limits.ts";
import { KeptSounds } from "../kept-sounds.ts";

/** Fetches a sound's WAV. */
export type FetchSound = (
  sceneKey: string,
  soundId: string,
  revision: string,
) => Promise<ArrayBuffer>;

/** Decodes sounds on request; a new revision is a new sound. */
export class SoundBuffers {
  readonly #fetchSound: FetchSound;
  readonly #kept = new KeptSounds();

  constructor(fetchSound: FetchSound) {
    this.#fetchSound = fetchSound;
  }

  /** @throws {Error} with a sentence */
  decoded(sceneKey: string, soundId: string, revision: string): Promise<AudioBuffer> {
    return this.#kept.decoded(...this.#argumentsFor(sceneKey, soundId, revision));
  }

  /**
   * Peaks from 0 to 1, read one sound at a time; empty for a large file.
   * @param bytes the file's size
   * @throws {Error} with a sentence
   */
  async outline(
    sceneKey: string,
    soundId: string,
    revision: string,
    bytes: number,
  ): Promise<readonly number[]> {
    if (bytes > OUTLINE_BYTES) return [];
    return this.#kept.outline(...this.#argumentsFor(sceneKey, soundId, revision));
  }

  #argumentsFor(
    ...place: Parameters<FetchSound>
  ): [key: string, fetch: () => Promise<ArrayBuffer>] {
    return [JSON.stringify(place), () => this.#fetchSound(...place)];
  }
}
