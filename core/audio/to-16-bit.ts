import { decodeSamples } from "./read-samples.ts";
import type { WavFormat } from "./wav-header.ts";

const FULL_SCALE = 32_768;
/** 2 ** 32, the number of values of the generator. */
const VALUES = 4_294_967_296;
const FIRST_STATE = 0x9e3779b9;
/** Every so many samples feed the generator. */
const FED_STEP = 61;

/**
 * Converts the audio of a WAV to 16 bit, piece by piece, with TPDF dither: noise of two uniform numbers, which makes
 * the error independent of the sound. A sample that 16 bits hold exactly keeps its value, so silence stays silent. The
 * noise follows from the audio alone: the same sound always becomes the same bytes, and two stems get different noise.
 */
export class SixteenBit {
  readonly #format: WavFormat;
  #state = FIRST_STATE;
  #clipped = 0;

  constructor(format: WavFormat) {
    this.#format = format;
  }

  /** Number of samples so far that were beyond full scale. Only floats can be. */
  get clipped(): number {
    return this.#clipped;
  }

  /** Converts whole frames of the WAV. */
  convert(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
    const channels = decodeSamples(bytes, this.#format);
    const frames = channels[0]?.length ?? 0;
    for (const samples of channels) this.#feed(samples);
    const converted = new DataView(new ArrayBuffer(frames * channels.length * 2));
    let at = 0;
    for (let frame = 0; frame < frames; frame += 1) {
      for (const samples of channels) {
        converted.setInt16(at, this.#quantize(samples[frame] ?? 0), true);
        at += 2;
      }
    }
    return new Uint8Array(converted.buffer);
  }

  #quantize(sample: number): number {
    if (sample > 1 || sample < -1) this.#clipped += 1;
    // A sample that is no number is silent.
    const exact = sample * FULL_SCALE || 0;
    const dithered = Number.isInteger(exact) ? exact : Math.round(exact + this.#noise());
    return Math.max(-FULL_SCALE, Math.min(FULL_SCALE - 1, dithered));
  }

  /** Returns triangular noise between -1 and 1. */
  #noise(): number {
    return (this.#next() - this.#next()) / VALUES;
  }

  /** Marsaglia's xorshift of 32 bits. */
  #next(): number {
    let state = this.#state;
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    this.#state = state;
    return state >>> 0;
  }

  /** Makes the noise that follows depend on the sound. */
  #feed(samples: Float32Array): void {
    let state = this.#state;
    for (let at = 0; at < samples.length; at += FED_STEP) {
      state = Math.imul(state ^ Math.trunc((samples[at] ?? 0) * 8_388_608), 0x01000193);
    }
    // The generator would stay at 0.
    this.#state = state === 0 ? FIRST_STATE : state;
  }
}
