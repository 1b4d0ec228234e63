import { decodeSound, outlineOf } from "./decode-sound.ts";

/** The cache's size, in samples over all channels: about 100 MB. */
const MAX_SAMPLES = 25_000_000;

/** Decodes sounds on demand and caches the most recent ones. */
export class KeptSounds {
  readonly #outlines = new Map<string, Promise<readonly number[]>>();
  /** The last requested waveform: they are made one after another, while playback never waits. */
  #lastOutline: Promise<unknown> = Promise.resolve();
  readonly #decoding = new Map<string, Promise<AudioBuffer>>();
  /** In order of use, most recent last. */
  readonly #buffers = new Map<string, AudioBuffer>();

  /**
   * Peaks from 0 to 1; fetched once.
   * @param key identifies the sound
   * @throws {Error} with a sentence to show; the next call fetches again
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
   * Decodes a whole sound for playback.
   * @param key identifies the sound
   * @throws {Error} with a sentence to show
   */
  async decoded(key: string, fetch: () => Promise<ArrayBuffer>): Promise<AudioBuffer> {
    const buffer = this.#buffers.get(key);
    if (buffer !== undefined) return this.#cache(key, buffer);
    const decoding = this.#decoding.get(key) ?? fetch().then(decodeSound);
    this.#decoding.set(key, decoding);
    try {
      return this.#cache(key, await decoding);
    } finally {
      this.#decoding.delete(key);
    }
  }

  /** Caches a sound as the most recent and evicts the oldest beyond the limit. */
  #cache(key: string, sound: AudioBuffer): AudioBuffer {
    this.#buffers.delete(key);
    this.#buffers.set(key, sound);
    let samples = [...this.#buffers.values()].reduce((sum, old) => sum + samplesOf(old), 0);
    for (const [oldKey, old] of this.#buffers) {
      if (samples <= MAX_SAMPLES || oldKey === key) break;
      this.#buffers.delete(oldKey);
      samples -= samplesOf(old);
    }
    return sound;
  }
}

function samplesOf({ length, numberOfChannels }: AudioBuffer): number {
  return length * numberOfChannels;
}
