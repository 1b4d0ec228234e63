import { peaksOf } from "../../../core/page/peaks.ts";
import { OUTLINE_BYTES } from "../../../core/page/sound-limits.ts";

/** Columns of an outline. */
const COLUMNS = 160;
const SAMPLE_RATE_HZ = 48_000;

/** Decodes sounds: for their outlines, which are kept, and to be played. */
export class SoundShelf {
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
    const bytes = await source.arrayBuffer();
    try {
      return await new OfflineAudioContext(1, 1, SAMPLE_RATE_HZ).decodeAudioData(bytes);
    } catch (cause) {
      throw new Error("This file can’t be played here.", { cause });
    }
  }

  async #draw(source: Blob): Promise<readonly number[]> {
    if (source.size > OUTLINE_BYTES) return [];
    try {
      const sound = await this.decoded(source);
      const channels = Array.from({ length: sound.numberOfChannels }, (_, index) =>
        sound.getChannelData(index),
      );
      return peaksOf(channels, COLUMNS);
    } catch {
      // The outline is an extra; Play says what is wrong.
      return [];
    }
  }
}
