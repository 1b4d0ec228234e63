import { LoudnessMeter } from "./loudness.ts";
import { type Seam, SeamMeter } from "./seam-meter.ts";
import type { WavHeader } from "./wav-header.ts";

/** The measures of a sound's audio. Amplitudes; 1 is full scale. */
export interface SoundMeasures {
  /** Integrated loudness (ITU-R BS.1770); null for less than 400 ms, and for silence. */
  readonly loudnessLufs: number | null;
  /** The largest sample. */
  readonly peak: number;
  /** Runs of samples at full scale or above that don't get there as a wave's crest does. */
  readonly clippedRuns: number;
  /** The offset from zero that all but a quarter of a channel's parts have, for each channel; 0 if they differ in sign. */
  readonly dcOffsets: readonly number[];
  /** The place at which a loop starts again, for each channel; none of a one-shot. */
  readonly seams: readonly Seam[];
}

type MeteredHeader = Pick<WavHeader, "channels" | "sampleRateHz" | "bitsPerSample" | "frames">;

/** Measures a sound as a sound designer hears it, in one pass over its audio. */
export class SoundMeter {
  readonly #loudness: LoudnessMeter;
  readonly #levels: readonly LevelMeter[];
  readonly #seams: readonly SeamMeter[];

  /** @param loopFrames the frame at which a loop starts again, at or beyond the file's end too; absent for a one-shot */
  constructor(header: MeteredHeader, loopFrames?: number) {
    const channels = Array.from({ length: header.channels });
    this.#loudness = new LoudnessMeter(header);
    this.#levels = channels.map(() => new LevelMeter(header));
    this.#seams =
      loopFrames === undefined ? [] : channels.map(() => new SeamMeter(header, loopFrames));
  }

  /** Takes the next piece: the samples of every channel. */
  add(channels: readonly Float32Array[]): void {
    this.#loudness.add(channels);
    for (const [index, samples] of channels.entries()) {
      this.#levels[index]?.add(samples);
      this.#seams[index]?.add(samples);
    }
  }

  finish(): SoundMeasures {
    const levels = this.#levels.map((level) => level.finish());
    return {
      loudnessLufs: this.#loudness.finish(),
      peak: Math.max(...levels.map(({ peak }) => peak)),
      clippedRuns: levels.reduce((sum, level) => sum + level.clippedRuns, 0),
      dcOffsets: levels.map(({ dcOffset }) => dcOffset),
      seams: this.#seams.flatMap((seam) => seam.finish()),
    };
  }
}

/** Samples at full scale that make a run. */
const CLIPPED_SAMPLES = 3;
/** A crest that is rounded to full scale leaves it by so many of its smallest steps at most. */
const CREST_STEPS = 4.5;
/** Parts of a sound whose means are compared: at least eight, of at most 100 ms. */
const DC_PARTS = 8;
const DC_PART_SECONDS = 0.1;

/** Peak, clipping and offset of one channel. */
class LevelMeter {
  readonly #fullScale: number;
  readonly #crest: number;
  readonly #partFrames: number;
  readonly #means: number[] = [];
  #peak = 0;
  #sum = 0;
  #summed = 0;
  #before: number | null = null;
  #run = 0;
  /** The sign of the run. */
  #side = 0;
  /** True if the run began with a jump. */
  #isCut = false;
  #clippedRuns = 0;

  constructor({ bitsPerSample, sampleRateHz, frames }: MeteredHeader) {
    // What was once 16 bits clipped there, in whatever format it is now.
    const smallest = bitsPerSample === 8 ? 1 / 128 : 1 / 32_768;
    this.#fullScale = 1 - smallest;
    this.#crest = CREST_STEPS * smallest;
    this.#partFrames = Math.max(
      1,
      Math.min(Math.round(sampleRateHz * DC_PART_SECONDS), Math.floor(frames / DC_PARTS)),
    );
  }

  add(samples: Float32Array): void {
    const { length } = samples;
    for (let from = 0; from < length;) {
      const to = Math.min(length, from + this.#partFrames - this.#summed);
      this.#addPart(samples, from, to);
      from = to;
      if (this.#summed < this.#partFrames) continue;
      this.#means.push(this.#sum / this.#summed);
      [this.#sum, this.#summed] = [0, 0];
    }
  }

  finish(): { peak: number; clippedRuns: number; dcOffset: number } {
    this.#endRun(null);
    return {
      peak: this.#peak,
      clippedRuns: this.#clippedRuns,
      dcOffset: offsetOf(this.#means),
    };
  }

  #addPart(samples: Float32Array, from: number, to: number): void {
    const fullScale = this.#fullScale;
    let peak = this.#peak;
    let sum = 0;
    let isInRun = this.#run > 0;
    for (let at = from; at < to; at += 1) {
      const sample = samples[at] ?? 0;
      const size = Math.abs(sample);
      sum += sample;
      if (size > peak) peak = size;
      if (size >= fullScale || isInRun) {
        this.#follow(sample, at === 0 ? this.#before : (samples[at - 1] ?? 0));
        isInRun = this.#run > 0;
      }
    }
    this.#peak = peak;
    this.#sum += sum;
    this.#summed += to - from;
    this.#before = samples[to - 1] ?? this.#before;
  }

  /** @param before the sample before this one; null at the start */
  #follow(sample: number, before: number | null): void {
    const side = Math.abs(sample) >= this.#fullScale ? Math.sign(sample) : 0;
    if (this.#run > 0 && side !== this.#side) this.#endRun(sample);
    if (side === 0) return;
    if (this.#run === 0) {
      this.#side = side;
      this.#isCut = before === null || this.#isJump(before);
    }
    this.#run += 1;
  }

  #endRun(after: number | null): void {
    const isCut = this.#isCut || after === null || this.#isJump(after);
    if (this.#run >= CLIPPED_SAMPLES && isCut) this.#clippedRuns += 1;
    this.#run = 0;
  }

  #isJump(neighbor: number): boolean {
    return this.#fullScale - neighbor * this.#side > this.#crest;
  }
}

/** The quarter of the means nearest to zero is left out, so that neither a low note nor a long tail decides. */
function offsetOf(means: readonly number[]): number {
  const sorted = means.toSorted((one, other) => one - other);
  const quarter = Math.floor(sorted.length / 4);
  const [low, high] = [sorted[quarter] ?? 0, sorted[sorted.length - 1 - quarter] ?? 0];
  if (low > 0) return low;
  return high < 0 ? high : 0;
}
