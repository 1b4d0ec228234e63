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

/** Most output samples whose weights are computed once; 44.1 to 48 kHz needs 160. */
const LONGEST_PERIOD = 512;
/** Error of a period's length below which its weights hold for the next ones. */
const SAME_POSITION = 1e-10;

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
  const period = periodOf(step);
  for (let turn = 0; turn < Math.min(period, frames); turn += 1) {
    const at = from + turn * step;
    const kernel = step === 1 ? kernelAtOwnRate(at) : kernelAt(at, step);
    const count = Math.ceil((frames - turn) / period);
    const apart = Math.round(period * step);
    input.forEach((channel, index) => {
      const samples = output[index] ?? new Float32Array();
      for (let time = 0; time < count; time += 1) {
        samples[turn + time * period] = valueOf(channel, kernel.weights, kernel.low + time * apart);
      }
    });
  }
  return output;
}

/** The weights of the samples that decide a value, the first of which is at `low`. Their sum is 1. */
interface Kernel {
  readonly low: number;
  readonly weights: Float64Array;
}

function kernelAtOwnRate(at: number): Kernel {
  const nearest = Math.round(at);
  const isWhole = Math.abs(at - nearest) < WHOLE;
  return isWhole ? { low: nearest, weights: Float64Array.of(1) } : kernelAt(at, 1);
}

function kernelAt(at: number, step: number): Kernel {
  const wide = widening(step);
  const reach = REACH * wide;
  const low = Math.ceil(at - reach);
  const weights = Float64Array.from({ length: Math.floor(at + reach) - low + 1 }, (_, tap) =>
    weightAt(Math.abs(low + tap - at) / wide),
  );
  const sum = weights.reduce((total, weight) => total + weight, 0);
  return { low, weights: weights.map((weight) => weight / sum) };
}

function valueOf(channel: Float32Array, weights: Float64Array, low: number): number {
  const end = Math.min(weights.length, channel.length - low);
  let value = 0;
  for (let tap = Math.max(0, -low); tap < end; tap += 1) {
    value += (weights[tap] ?? 0) * (channel[low + tap] ?? 0);
  }
  return value;
}

/** Returns the number of output samples after which positions lie between two samples as before; `Infinity` if none. */
function periodOf(step: number): number {
  for (let period = 1; period <= LONGEST_PERIOD; period += 1) {
    const moved = period * step;
    if (Math.abs(moved - Math.round(moved)) < SAME_POSITION) return period;
  }
  return Infinity;
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
