import { peakIn } from "./peaks.ts";

/**
 * The peak envelope of a sound that is read once, from start to end (rule B6). Holds one number for each column,
 * whatever the sound's length.
 */
export class PeakEnvelope {
  readonly #frames: number;
  readonly #peaks: Float64Array;
  #frame = 0;
  #column = 0;

  /**
   * @param frames of the whole sound
   * @param columns most columns; a shorter sound has one for each frame
   */
  constructor(frames: number, columns: number) {
    this.#frames = frames;
    this.#peaks = new Float64Array(Math.min(columns, frames));
  }

  /** Adds the next frames: the samples of every channel. */
  add(channels: readonly Float32Array[]): void {
    const length = channels[0]?.length ?? 0;
    for (let from = 0; from < length;) {
      const columnEnd = Math.floor(((this.#column + 1) * this.#frames) / this.#peaks.length);
      const end = Math.min(length, from + columnEnd - this.#frame);
      const peaks = channels.map((channel) => peakIn(channel, from, end));
      this.#peaks[this.#column] = Math.max(this.#peaks[this.#column] ?? 0, ...peaks);
      this.#frame += end - from;
      from = end;
      if (this.#frame >= columnEnd) this.#column += 1;
      if (this.#column >= this.#peaks.length) return;
    }
  }

  /** Returns two hex digits for each column, from `00` to `ff`; only digital silence is `00`. */
  format(): string {
    return Array.from(this.#peaks, (peak) => {
      const level = Math.min(255, Math.ceil(peak * 255));
      return level.toString(16).padStart(2, "0");
    }).join("");
  }
}

/** Returns the columns of a peak envelope, each from 0 to 1. */
export function parseEnvelope(peaks: string): readonly number[] {
  return (peaks.match(/../g) ?? []).map((digits) => Number.parseInt(digits, 16) / 255);
}
