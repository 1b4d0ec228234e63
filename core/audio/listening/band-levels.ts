import type { WavHeader } from "../wav-header.ts";

/** Frames of an envelope in a second. */
const ENVELOPE_HZ = 200;
/** The bands' borders; each filter has two poles. */
const BORDERS_HZ = [150, 500, 1600, 5000] as const;
/** Bands of an envelope, from low to high. */
const BANDS = BORDERS_HZ.length + 1;

/** The energy of a sound over time in each band. */
export interface BandLevels {
  /** Length of one frame. */
  readonly frameSeconds: number;
  /** Length of the sound. */
  readonly seconds: number;
  /** Mean energy of each frame, by band. */
  readonly energies: readonly Float32Array[];
}

/** Measures the energy of a sound in a few bands as it is read, with filters of one pole in pairs. */
export class BandMeter {
  readonly #rateHz: number;
  readonly #frames: number;
  /** Samples of one frame. */
  readonly #hop: number;
  readonly #slopes: readonly number[];
  readonly #poles = new Float64Array(BORDERS_HZ.length * 2);
  readonly #sums = new Float64Array(BANDS);
  readonly #energies: readonly Float32Array[];
  #inFrame = 0;
  #frame = 0;

  constructor({ sampleRateHz, frames }: Pick<WavHeader, "sampleRateHz" | "frames">) {
    this.#rateHz = sampleRateHz;
    this.#frames = frames;
    this.#hop = Math.max(1, Math.round(sampleRateHz / ENVELOPE_HZ));
    this.#slopes = BORDERS_HZ.map((hz) => 1 - Math.exp((-2 * Math.PI * hz) / sampleRateHz));
    const size = Math.ceil(frames / this.#hop);
    this.#energies = Array.from({ length: BANDS }, () => new Float32Array(size));
  }

  /** Takes the next samples of every channel. */
  add(channels: readonly Float32Array[]): void {
    const [left = new Float32Array(), right = left] = channels;
    const [a = 0, b = 0, c = 0, d = 0] = this.#slopes;
    const sums = this.#sums;
    let [a1 = 0, a2 = 0, b1 = 0, b2 = 0, c1 = 0, c2 = 0, d1 = 0, d2 = 0] = this.#poles;
    for (let from = 0; from < left.length;) {
      const end = Math.min(left.length, from + this.#hop - this.#inFrame);
      let [sum0 = 0, sum1 = 0, sum2 = 0, sum3 = 0, sum4 = 0] = sums;
      for (let at = from; at < end; at += 1) {
        const x = ((left[at] ?? 0) + (right[at] ?? 0)) / 2;
        a1 += a * (x - a1);
        a2 += a * (a1 - a2);
        b1 += b * (x - b1);
        b2 += b * (b1 - b2);
        c1 += c * (x - c1);
        c2 += c * (c1 - c2);
        d1 += d * (x - d1);
        d2 += d * (d1 - d2);
        sum0 += a2 * a2;
        sum1 += (b2 - a2) ** 2;
        sum2 += (c2 - b2) ** 2;
        sum3 += (d2 - c2) ** 2;
        sum4 += (x - d2) ** 2;
      }
      sums.set([sum0, sum1, sum2, sum3, sum4]);
      this.#inFrame += end - from;
      from = end;
      if (this.#inFrame === this.#hop) this.#endFrame();
    }
    this.#poles.set([a1, a2, b1, b2, c1, c2, d1, d2]);
  }

  /** Returns what was measured. */
  finish(): BandLevels {
    if (this.#inFrame > 0) this.#endFrame();
    const frameSeconds = this.#hop / this.#rateHz;
    return { frameSeconds, seconds: this.#frames / this.#rateHz, energies: this.#energies };
  }

  #endFrame(): void {
    for (const [band, energies] of this.#energies.entries()) {
      energies[this.#frame] = (this.#sums[band] ?? 0) / this.#inFrame;
    }
    this.#sums.fill(0);
    this.#inFrame = 0;
    this.#frame += 1;
  }
}
