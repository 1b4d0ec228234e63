import { decodeSound, outlineOf } from "./decode-sound.ts";

/** How much is kept decoded to be played again, in samples over all channels: about 100 MB. */
const KEPT_SAMPLES = 25_000_000;

/** Decodes sounds when they are asked for, and keeps the last ones. */
export class KeptSounds {
  readonly #outlines = new Map<string, Promise<readonly number[]>>();
  /** The last outline that was asked for: they come one after another, a sound that is played at once. */
  #lastOutline: Promise<unknown> = Promise.resolve();
  readonly #coming = new Map<string, Promise<AudioBuffer>>();
  /** The one used last is the last. */
  readonly #kept = new Map<string, AudioBuffer>();

  /**
   * Peaks from 0 to 1; fetched once.
   * @param key stands for the sound
   * @throws {Error} with a sentence; the next time it is fetched anew
   */
  outline(key: string, fetch: () => Promise<ArrayBuffer>): Promise<readonly number[]> {
    const known = this.#outlines.get(key);
    if (known !== undefined) return known;
    const draw = async (): Promise<readonly number[]> => outlineOf(await this.decoded(key, fetch));
    const outline = this.#lastOutline.then(draw, draw);
    this.#lastOutline = outline;
    this.#outlines.set(key, outline);
    outline.catch(() => this.#outlines.delete(key));
    return outline;
  }

  /**
   * A whole sound, ready to play.
   * @param key stands for the sound
   * @throws {Error} with a sentence
   */
  async decoded(key: string, fetch: () => Promise<ArrayBuffer>): Promise<AudioBuffer> {
    const kept = this.#kept.get(key);
    if (kept !== undefined) return this.#keep(key, kept);
    const coming = this.#coming.get(key) ?? fetch().then(decodeSound);
    this.#coming.set(key, coming);
    try {
      return this.#keep(key, await coming);
    } finally {
      this.#coming.delete(key);
    }
  }

  /** Puts a sound in the last place; the first ones go where they are too many. */
  #keep(key: string, sound: AudioBuffer): AudioBuffer {
    this.#kept.delete(key);
    this.#kept.set(key, sound);
    let samples = [...this.#kept.values()].reduce((sum, old) => sum + samplesOf(old), 0);
    for (const [oldKey, old] of this.#kept) {
      if (samples <= KEPT_SAMPLES || oldKey === key) break;
      this.#kept.delete(oldKey);
      samples -= samplesOf(old);
    }
    return sound;
  }
}

function samplesOf({ length, numberOfChannels }: AudioBuffer): number {
  return length * numberOfChannels;
}
