import { readPiece } from "../../../client/sound-bytes.ts";
import { OUTLINE_BYTES } from "../../../core/page/sound-limits.ts";
import { decodeSound, outlineOf } from "../../../web/decode-sound.ts";

/** Decodes sounds: for their outlines, which are kept, and to be played. */
export class SoundCache {
  readonly #outlines = new WeakMap<Blob, Promise<readonly number[]>>();
  /** Outlines come one after another; each is a whole sound in memory. */
  #last: Promise<unknown> = Promise.resolve();

  /** Peaks from 0 to 1; none where the file is large or can't be decoded here. */
  outline(source: Blob): Promise<readonly number[]> {
    const known = this.#outlines.get(source);
    if (known !== undefined) return known;
    const outline = this.#last.then(() => this.#draw(source));
    this.#last = outline;
    this.#outlines.set(source, outline);
    return outline;
  }

  /** @throws {Error} with a sentence */
  async decoded(source: Blob): Promise<AudioBuffer> {
    return decodeSound((await readPiece(source, 0, source.size)).buffer);
  }

  async #draw(source: Blob): Promise<readonly number[]> {
    if (source.size > OUTLINE_BYTES) return [];
    try {
      return outlineOf(await this.decoded(source));
    } catch {
      // The outline is an extra; Play says what is wrong.
      return [];
    }
  }
}
