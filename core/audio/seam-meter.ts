import { peakIn } from "./peaks.ts";

/** The place at which a loop starts again, in one channel. Amplitudes; 1 is full scale. */
export interface Seam {
  /** The step from the loop's last sample to its first. */
  readonly step: number;
  /** The largest step nearby, or elsewhere in the loop the largest that stands out as a click does. */
  readonly ownStep: number;
  /** The peak in the 10 ms before. */
  readonly peakBefore: number;
  /** The peak in the 10 ms after. */
  readonly peakAfter: number;
}

const LEVEL_SECONDS = 0.01;
/** A click is a step that is large among the steps this near to it. */
const NEAR_SECONDS = 0.0004;
const LEAST_NEAR_FRAMES = 4;
/** A step that stands out is so many times as large as those near it. */
const STANDS_OUT = 2;

/** Measures one channel of a loop, piece by piece, for the click where it starts again. */
export class SeamMeter {
  readonly #loopFrames: number;
  readonly #isPastEnd: boolean;
  readonly #levelFrames: number;
  readonly #nearFrames: number;
  #start = new Float32Array(0);
  /** The latest samples; they also join the pieces. */
  #latest = new Float32Array(0);
  #frames = 0;
  #ownStep = 0;

  /** @param loopFrames the frame after the loop's last; beyond the file's end there is silence */
  constructor(format: { sampleRateHz: number; frames: number }, loopFrames: number) {
    this.#loopFrames = Math.min(loopFrames, format.frames);
    // A tempo rarely ends on a frame, so a frame more is no silence.
    this.#isPastEnd = loopFrames > format.frames + 1;
    this.#levelFrames = Math.ceil(format.sampleRateHz * LEVEL_SECONDS);
    this.#nearFrames = Math.max(LEAST_NEAR_FRAMES, Math.round(format.sampleRateHz * NEAR_SECONDS));
  }

  add(piece: Float32Array): void {
    const inLoop = piece.subarray(0, Math.max(0, this.#loopFrames - this.#frames));
    if (inLoop.length === 0) return;
    this.#frames += inLoop.length;
    if (this.#start.length < this.#levelFrames) {
      const missing = this.#levelFrames - this.#start.length;
      this.#start = joined(this.#start, inLoop.subarray(0, missing));
    }
    const known = this.#latest.length;
    const samples = joined(this.#latest, inLoop);
    this.#findOwnStep(samples, Math.max(1, known - this.#nearFrames));
    this.#latest = samples.slice(-Math.max(this.#levelFrames, 2 * this.#nearFrames + 1));
  }

  /** The seam; two if the file ends before the loop: into the silence, and out of it. */
  finish(): readonly Seam[] {
    const silence = new Float32Array(this.#levelFrames);
    return this.#isPastEnd
      ? [this.#seamOf(this.#latest, silence), this.#seamOf(silence, this.#start)]
      : [this.#seamOf(this.#latest, this.#start)];
  }

  #seamOf(before: Float32Array, after: Float32Array): Seam {
    const near = this.#nearFrames;
    const nearStep = Math.max(
      largestStep(before, before.length - near, before.length),
      largestStep(after, 1, near + 1),
    );
    return {
      step: Math.abs((after[0] ?? 0) - (before.at(-1) ?? 0)),
      ownStep: Math.max(nearStep, this.#ownStep),
      peakBefore: peakIn(before.subarray(-this.#levelFrames)),
      peakAfter: peakIn(after.subarray(0, this.#levelFrames)),
    };
  }

  /** Finds steps that stand out from those around them; in noise and at high pitches, none does. */
  #findOwnStep(samples: Float32Array, from: number): void {
    const near = this.#nearFrames;
    const last = samples.length - near;
    for (let first = Math.max(from, near + 1); first < last; first += near + 1) {
      // The frames of this block are near each other, so only its largest step can stand out.
      const end = Math.min(last, first + near + 1);
      let before = samples[first - 1] ?? 0;
      let [largest, largestAt] = [0, first];
      for (let at = first; at < end; at += 1) {
        const sample = samples[at] ?? 0;
        const step = Math.abs(sample - before);
        before = sample;
        if (step <= largest) continue;
        largest = step;
        largestAt = at;
      }
      if (largest > this.#ownStep && standsOut(samples, largestAt, largest, near)) {
        this.#ownStep = largest;
      }
    }
  }
}

/** Checks whether a step is much larger than all near it. */
function standsOut(samples: Float32Array, at: number, step: number, near: number): boolean {
  const most = step / STANDS_OUT;
  for (let away = 1; away <= near; away += 1) {
    const before = Math.abs((samples[at - away] ?? 0) - (samples[at - away - 1] ?? 0));
    const after = Math.abs((samples[at + away] ?? 0) - (samples[at + away - 1] ?? 0));
    if (before > most || after > most) return false;
  }
  return true;
}

function largestStep(samples: Float32Array, from: number, to: number): number {
  let largest = 0;
  for (let at = Math.max(1, from); at < Math.min(to, samples.length); at += 1) {
    largest = Math.max(largest, Math.abs((samples[at] ?? 0) - (samples[at - 1] ?? 0)));
  }
  return largest;
}

function joined(one: Float32Array, other: Float32Array): Float32Array<ArrayBuffer> {
  const both = new Float32Array(one.length + other.length);
  both.set(one);
  both.set(other, one.length);
  return both;
}
