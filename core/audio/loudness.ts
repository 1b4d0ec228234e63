/** Hops of a second: gating blocks of four hops begin at each, so they overlap by 75 %. */
const HOPS_PER_SECOND = 10;
const BLOCK_HOPS = 4;
/** Blocks below it count as silence, in LUFS. */
const ABSOLUTE_GATE = -70;
/** Blocks this much quieter than the others are left out, in LU. */
const RELATIVE_GATE = 10;
/** The offset of the standard, which makes a 997 Hz sine at 0 dBFS in one channel -3.01 LUFS. */
const OFFSET = -0.691;

/** Coefficients of a second-order filter: `a0` is 1. */
interface Filter {
  readonly b0: number;
  readonly b1: number;
  readonly b2: number;
  readonly a1: number;
  readonly a2: number;
}

/** The memory of both filters for one channel. */
type Memory = [boost1: number, boost2: number, pass1: number, pass2: number];

/**
 * Measures integrated loudness by ITU-R BS.1770-5, piece by piece, at any sample rate. The frames behind the last whole
 * 100 ms don't count.
 */
export class LoudnessMeter {
  readonly #rateHz: number;
  readonly #boost: Filter;
  readonly #pass: Filter;
  readonly #memories: readonly Memory[];
  /** The power of each whole hop, the sum of all channels. */
  readonly #hops: number[] = [];
  #power = 0;
  #frame = 0;
  #hopEnd: number;

  constructor({ sampleRateHz, channels }: { sampleRateHz: number; channels: number }) {
    this.#rateHz = sampleRateHz;
    this.#boost = headBoost(sampleRateHz);
    this.#pass = highPass(sampleRateHz);
    this.#memories = Array.from({ length: channels }, (): Memory => [0, 0, 0, 0]);
    this.#hopEnd = this.#endOfHop(0);
  }

  add(channels: readonly Float32Array[]): void {
    const frames = channels[0]?.length ?? 0;
    for (let from = 0; from < frames;) {
      const to = Math.min(frames, from + this.#hopEnd - this.#frame);
      for (const [index, samples] of channels.entries()) {
        const memory = this.#memories[index];
        if (memory)
          this.#power += weightedPower(samples, from, to, this.#boost, this.#pass, memory);
      }
      this.#frame += to - from;
      from = to;
      if (this.#frame === this.#hopEnd) this.#endHop();
    }
  }

  /** The loudness in LUFS; null for less than 400 ms, and for silence. */
  finish(): number | null {
    const blocks: number[] = [];
    for (let at = BLOCK_HOPS; at <= this.#hops.length; at += 1) {
      const frames = this.#endOfHop(at - 1) - this.#endOfHop(at - BLOCK_HOPS - 1);
      const power = this.#hops.slice(at - BLOCK_HOPS, at).reduce((sum, hop) => sum + hop, 0);
      blocks.push(power / frames);
    }
    const audible = blocks.filter((power) => loudnessOf(power) > ABSOLUTE_GATE);
    if (audible.length === 0) return null;
    const gate = loudnessOf(mean(audible)) - RELATIVE_GATE;
    return loudnessOf(mean(audible.filter((power) => loudnessOf(power) > gate)));
  }

  #endHop(): void {
    this.#hops.push(this.#power);
    this.#power = 0;
    this.#hopEnd = this.#endOfHop(this.#hops.length);
  }

  /** The frame after a hop, from the rate and not from the hop before, so that no rounding adds up. */
  #endOfHop(hop: number): number {
    return Math.round(((hop + 1) * this.#rateHz) / HOPS_PER_SECOND);
  }
}

function mean(powers: readonly number[]): number {
  return powers.reduce((sum, power) => sum + power, 0) / powers.length;
}

function loudnessOf(power: number): number {
  return OFFSET + 10 * Math.log10(power);
}

/** Sums the squares of K-weighted samples. */
function weightedPower(
  samples: Float32Array,
  from: number,
  to: number,
  boost: Filter,
  pass: Filter,
  memory: Memory,
): number {
  const { b0, b1, b2, a1, a2 } = boost;
  const { b0: c0, b1: c1, b2: c2, a1: d1, a2: d2 } = pass;
  let [s1, s2, p1, p2] = memory;
  let power = 0;
  for (let at = from; at < to; at += 1) {
    const x = samples[at] ?? 0;
    const y = b0 * x + s1;
    s1 = b1 * x - a1 * y + s2;
    s2 = b2 * x - a2 * y;
    const z = c0 * y + p1;
    p1 = c1 * y - d1 * z + p2;
    p2 = c2 * y - d2 * z;
    power += z * z;
  }
  memory[0] = withoutDenormal(s1);
  memory[1] = withoutDenormal(s2);
  memory[2] = withoutDenormal(p1);
  memory[3] = withoutDenormal(p2);
  return power;
}

/** Denormal numbers are slow, and silence would leave the filters in them. */
function withoutDenormal(value: number): number {
  return Math.abs(value) < 1e-30 ? 0 : value;
}

/** The first stage of K-weighting, designed again for any rate; at 48 kHz the standard's coefficients. */
function headBoost(rateHz: number): Filter {
  const k = Math.tan((Math.PI * 1681.974450955533) / rateHz);
  const q = 0.7071752369554196;
  const high = 10 ** (3.999843853973347 / 20);
  const band = high ** 0.4996667741545416;
  const a0 = 1 + k / q + k * k;
  return {
    b0: (high + (band * k) / q + k * k) / a0,
    b1: (2 * (k * k - high)) / a0,
    b2: (high - (band * k) / q + k * k) / a0,
    a1: (2 * (k * k - 1)) / a0,
    a2: (1 - k / q + k * k) / a0,
  };
}

/** The second stage. */
function highPass(rateHz: number): Filter {
  const k = Math.tan((Math.PI * 38.13547087602444) / rateHz);
  const q = 0.5003270373238773;
  const a0 = 1 + k / q + k * k;
  return {
    b0: 1,
    b1: -2,
    b2: 1,
    a1: (2 * (k * k - 1)) / a0,
    a2: (1 - k / q + k * k) / a0,
  };
}
