/** Samples on each side of a point that decide its value. */
const REACH = 16;
/** Widest kernel, for sounds played faster than this many times; faster ones lose some quality. */
const MOST_WIDENED = 4;
/** Part of the audible band that is kept; the rest leaves room for the filter's slope. */
const CUTOFF = 0.95;
/** Steps of the kernel's table for each sample. */
const PHASES = 512;
/** Distance from a whole frame below which a position is that frame. */
const WHOLE = 1e-6;

/** A span of a sound to read at another rate. */
interface ResampleOptions {
  /** Position of the first output sample in the input; may lie between two samples. */
  readonly from: number;
  /** Input samples for each output sample; 2 is twice as fast. */
  readonly step: number;
  /** Number of output samples. */
  readonly frames: number;
}

/** Returns the input that `resample` needs: `before` frames ahead of the position, and `after` frames past its end. */
export function reachOf(step: number): number {
  return Math.ceil(REACH * widening(step)) + 1;
}

/**
 * Reads a sound at another rate with a windowed sinc. A value depends on its position alone, so pieces that are read
 * one after another join without a seam, and a sound at its own rate stays as it is (rule V19).
 * @param input channels of one length; beyond both ends is silence
 */
export function resample(
  input: readonly Float32Array[],
  { from, step, frames }: ResampleOptions,
): readonly Float32Array<ArrayBuffer>[] {
  const output = input.map(() => new Float32Array(frames));
  const length = input[0]?.length ?? 0;
  const wide = widening(step);
  const reach = REACH * wide;
  const weights = new Float64Array(2 * Math.ceil(reach) + 2);
  for (let frame = 0; frame < frames; frame += 1) {
    const at = from + frame * step;
    const nearest = Math.round(at);
    if (step === 1 && Math.abs(at - nearest) < WHOLE) {
      input.forEach((channel, index) => {
        const samples = output[index];
        if (samples !== undefined) samples[frame] = channel[nearest] ?? 0;
      });
      continue;
    }
    const low = Math.ceil(at - reach);
    const count = Math.floor(at + reach) - low + 1;
    let sum = 0;
    for (let tap = 0; tap < count; tap += 1) {
      const weight = weightAt(Math.abs(low + tap - at) / wide);
      weights[tap] = weight;
      sum += weight;
    }
    const first = Math.max(0, -low);
    const end = Math.min(count, length - low);
    for (let index = 0; index < input.length; index += 1) {
      const [channel, samples] = [input[index], output[index]];
      if (channel === undefined || samples === undefined) continue;
      let value = 0;
      for (let tap = first; tap < end; tap += 1) {
        value += (weights[tap] ?? 0) * (channel[low + tap] ?? 0);
      }
      samples[frame] = value / sum;
    }
  }
  return output;
}

function widening(step: number): number {
  return Math.min(MOST_WIDENED, Math.max(1, step));
}

const TABLE = Float64Array.from({ length: REACH * PHASES + 2 }, (_, index) => {
  const distance = index / PHASES;
  if (distance >= REACH) return 0;
  const phase = Math.PI * CUTOFF * distance;
  const sinc = phase === 0 ? 1 : Math.sin(phase) / phase;
  const turn = (Math.PI * distance) / REACH;
  return sinc * (0.42 + 0.5 * Math.cos(turn) + 0.08 * Math.cos(2 * turn));
});

function weightAt(distance: number): number {
  const at = distance * PHASES;
  const low = Math.floor(at);
  const [one, next] = [TABLE[low] ?? 0, TABLE[low + 1] ?? 0];
  return one + (at - low) * (next - one);
}
