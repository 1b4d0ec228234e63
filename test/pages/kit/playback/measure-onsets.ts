/** Distances of found onsets from the expected ones, in milliseconds. */
export interface OnsetErrors {
  readonly medianMs: number;
  readonly p95Ms: number;
  /** Median of the signed errors: a constant delay. */
  readonly lagMs: number;
  /** Expected onsets that have none found within 60 ms. */
  readonly missed: number;
}

const HOP_SECONDS = 0.0005;
/** Levels are taken over windows of this many hops, which even out the periods of low sounds. */
const WINDOW_HOPS = 8;
/** Time after an onset that is compared with the time before it. */
const LOOK_HOPS = 16;
/** An onset is at least this many times louder than what was just before it. */
const RISE = 1.5;
/** Sound below this part of the loudest level is silence. */
const FLOOR = 0.03;
const APART_HOPS = 80;
const NEAR_SECONDS = 0.06;

/** Finds the beginnings of sounds, in seconds: the middle of each quick rise of the level. */
export function findOnsets(samples: Float32Array | Float64Array, rateHz: number): number[] {
  const levels = levelsOf(samples, HOP_SECONDS * rateHz);
  const floor = FLOOR * largest(levels);
  const rises = levels.map((_, hop) => {
    const after = mean(levels, hop + WINDOW_HOPS / 2, hop + LOOK_HOPS);
    const before = mean(levels, hop - LOOK_HOPS, hop - WINDOW_HOPS / 2);
    return (after + floor) / (before + floor);
  });
  const peaks = rises.flatMap((rise, hop) => {
    if (rise < RISE) return [];
    return rise === largest(rises.slice(Math.max(0, hop - APART_HOPS), hop + APART_HOPS))
      ? [hop]
      : [];
  });
  return peaks.map((hop) => middleOfRise(levels, hop) * HOP_SECONDS);
}

/** Finds the time around a rise at which the level passes half of the way up, interpolated between hops. */
function middleOfRise(levels: readonly number[], hop: number): number {
  const from = Math.max(1, hop - LOOK_HOPS);
  const low = mean(levels, from, hop - WINDOW_HOPS / 2);
  const high = largest(levels.slice(hop, hop + LOOK_HOPS));
  const wanted = (low + high) / 2;
  for (let at = from; at < hop + LOOK_HOPS; at += 1) {
    const [before = 0, now = 0] = [levels[at - 1], levels[at]];
    if (before < wanted && now >= wanted) return at - 1 + (wanted - before) / (now - before);
  }
  return hop;
}

/** Compares what is found with what is expected; a loop's onset at 0 may be found at its end. */
export function onsetErrors(found: readonly number[], expected: readonly number[]): OnsetErrors {
  const errors = expected.flatMap((time) => {
    const distances = found.map((one) => one - time).toSorted((a, b) => Math.abs(a) - Math.abs(b));
    const [nearest = Infinity] = distances;
    return Math.abs(nearest) < NEAR_SECONDS ? [nearest * 1000] : [];
  });
  const sizes = errors.map(Math.abs);
  return {
    medianMs: quantile(sizes, 0.5),
    p95Ms: quantile(sizes, 0.95),
    lagMs: quantile(errors, 0.5),
    missed: expected.length - errors.length,
  };
}

/** The value below which that part of all values lies. */
export function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? Number.NaN;
}

/** Root mean squares of windows around each hop. */
function levelsOf(samples: Float32Array | Float64Array, hop: number): number[] {
  const sums = new Float64Array(samples.length + 1);
  samples.forEach((sample, frame) => (sums[frame + 1] = (sums[frame] ?? 0) + sample * sample));
  return Array.from({ length: Math.floor(samples.length / hop) }, (_, index) => {
    const from = Math.max(0, Math.round((index - WINDOW_HOPS / 2) * hop));
    const to = Math.min(samples.length, Math.round((index + WINDOW_HOPS / 2) * hop));
    return Math.sqrt(((sums[to] ?? 0) - (sums[from] ?? 0)) / (to - from));
  });
}

function largest(values: readonly number[]): number {
  return values.reduce((a, b) => Math.max(a, b), 0);
}

function mean(levels: readonly number[], from: number, to: number): number {
  const part = levels.slice(Math.max(0, from), Math.max(0, to));
  return part.length === 0 ? 0 : part.reduce((a, b) => a + b, 0) / part.length;
}

/**
 * Measures the distance of a tone from its pitch, in cents, by the mean change of the phase of its fundamental.
 * @param expectedHz within half a semitone of the truth
 */
export function centsFrom(
  samples: Float32Array | Float64Array,
  rateHz: number,
  expectedHz: number,
): number {
  // Two halves of the tone, shifted to 0 Hz: between them the phase turns by the difference.
  const half = Math.floor(samples.length / 2);
  const [first, second] = [0, half].map((from) =>
    phaseOf(samples.subarray(from, from + half), from, rateHz, expectedHz),
  );
  const turn = wrapped((second ?? 0) - (first ?? 0));
  const hz = expectedHz + (turn * rateHz) / (2 * Math.PI * half);
  return 1200 * Math.log2(hz / expectedHz);
}

function phaseOf(
  samples: Float32Array | Float64Array,
  offset: number,
  rateHz: number,
  hz: number,
): number {
  let [real, imaginary] = [0, 0];
  samples.forEach((sample, frame) => {
    const weight = 0.5 - 0.5 * Math.cos((2 * Math.PI * frame) / samples.length);
    const angle = (2 * Math.PI * hz * (offset + frame)) / rateHz;
    real += sample * weight * Math.cos(angle);
    imaginary -= sample * weight * Math.sin(angle);
  });
  return Math.atan2(imaginary, real);
}

function wrapped(angle: number): number {
  return angle - 2 * Math.PI * Math.round(angle / (2 * Math.PI));
}
