import { peaks } from "../../../client/audio/decode.ts";
import { readPiece } from "../../../client/send/sound-bytes.ts";
import { OUTLINE_BYTES } from "../../../core/audio/sound-limits.ts";
import { decodeSound } from "../../kit/decode-sound.ts";

/** Decodes sounds for playback and for waveforms, and caches the waveforms. */
export class SoundCache {
  readonly #outlines = new WeakMap<Blob, Promise<readonly number[]>>();
  /** Waveforms are made one after another, because each holds a whole sound in memory. */
  #last: Promise<unknown> = Promise.resolve();

  /** Peaks from 0 to 1; empty if the file is large or can't be decoded here. */
  outline(source: Blob): Promise<readonly number[]> {
    const known = this.#outlines.get(source);
    if (known !== undefined) return known;
    const outline = this.#last.then(() => this.#draw(source));
    this.#last = outline;
    this.#outlines.set(source, outline);
    return outline;
  }

  /** @throws {Error} with a sentence to show */
  async decoded(source: Blob): Promise<AudioBuffer> {
    return decodeSound((await readPiece(source, 0, source.size)).buffer);
  }

  async #draw(source: Blob): Promise<readonly number[]> {
    if (source.size > OUTLINE_BYTES) return [];
    try {
      return peaks(await this.decoded(source));
    } catch {
      // The waveform is optional; Play reports what is wrong.
      return [];
    }
  }
}
