import { decodeSound, outlineOf } from "./decode-sound.ts";
import { KeptBuffers } from "./kept-buffers.ts";

/** Decodes sounds on demand and caches the most recent ones. */
export class KeptSounds {
  readonly #outlines = new Map<string, Promise<readonly number[]>>();
  /** The last requested waveform: they are made one after another, while playback never waits. */
  #lastOutline: Promise<unknown> = Promise.resolve();
  readonly #decoding = new Map<string, Promise<AudioBuffer>>();
  readonly #buffers = new KeptBuffers();

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
    if (buffer !== undefined) return buffer;
    const decoding = this.#decoding.get(key) ?? fetch().then(decodeSound);
    this.#decoding.set(key, decoding);
    try {
      return this.#buffers.keep(key, await decoding);
    } finally {
      this.#decoding.delete(key);
    }
  }
}
