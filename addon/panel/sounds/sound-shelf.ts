import type { ControlCalls } from "../control-calls.ts";
import { peaksOf } from "../../../core/page/peaks.ts";

/** Columns of an outline. */
const COLUMNS = 160;
/** How much is kept decoded to be played again, in samples over all channels: about 100 MB. */
const KEPT_SAMPLES = 25_000_000;
const SAMPLE_RATE_HZ = 48_000;

/** Where a sound is. */
export interface SoundPlace {
  readonly packageId: string;
  readonly soundId: string;
}

/** Fetches and decodes sounds, and keeps the last ones. Nothing goes on once the signal aborts. */
export class SoundShelf {
  readonly #calls: ControlCalls;
  readonly #signal: AbortSignal;
  readonly #outlines = new Map<string, Promise<readonly number[]>>();
  /** The last outline that was asked for: they come one after another, a sound that is played at once. */
  #lastOutline: Promise<unknown> = Promise.resolve();
  readonly #coming = new Map<string, Promise<AudioBuffer>>();
  /** The one used last is the last. */
  readonly #kept = new Map<string, AudioBuffer>();

  constructor(calls: ControlCalls, signal: AbortSignal) {
    this.#calls = calls;
    this.#signal = signal;
  }

  /**
   * Peaks from 0 to 1; fetched once.
   * @throws {Error} with a sentence; also where its file has more than `maxBytes`
   */
  outline(place: SoundPlace, maxBytes: number): Promise<readonly number[]> {
    const key = keyOf(place);
    const known = this.#outlines.get(key);
    if (known !== undefined) return known;
    const draw = async (): Promise<readonly number[]> =>
      peaksOf(channelsOf(await this.decoded(place, maxBytes)), COLUMNS);
    const outline = this.#lastOutline.then(draw, draw);
    this.#lastOutline = outline;
    this.#outlines.set(key, outline);
    outline.catch(() => this.#outlines.delete(key));
    return outline;
  }

  /**
   * A whole sound, ready to play.
   * @throws {Error} with a sentence; also where its file has more than `maxBytes`
   */
  async decoded(place: SoundPlace, maxBytes: number): Promise<AudioBuffer> {
    const key = keyOf(place);
    const kept = this.#kept.get(key);
    if (kept !== undefined) return this.#keep(key, kept);
    const coming = this.#coming.get(key) ?? this.#fetch(place, maxBytes);
    this.#coming.set(key, coming);
    try {
      return this.#keep(key, await coming);
    } finally {
      this.#coming.delete(key);
    }
  }

  /** Puts a sound in the last place; the first ones go where they are too many. */
  #keep(key: string, sound: AudioBuffer): AudioBuffer {
    this.#kept.delete(key);
    this.#kept.set(key, sound);
    let samples = [...this.#kept.values()].reduce((sum, old) => sum + samplesOf(old), 0);
    for (const [oldKey, old] of this.#kept) {
      if (samples <= KEPT_SAMPLES || oldKey === key) break;
      this.#kept.delete(oldKey);
      samples -= samplesOf(old);
    }
    return sound;
  }

  async #fetch({ packageId, soundId }: SoundPlace, maxBytes: number): Promise<AudioBuffer> {
    const terms = { maxBytes, signal: this.#signal };
    const bytes = await this.#calls.sound(packageId, soundId, terms);
    try {
      return await new OfflineAudioContext(1, 1, SAMPLE_RATE_HZ).decodeAudioData(bytes);
    } catch (error) {
      throw new Error("This file can’t be played here.", { cause: error });
    }
  }
}

function samplesOf({ length, numberOfChannels }: AudioBuffer): number {
  return length * numberOfChannels;
}

function channelsOf(sound: AudioBuffer): readonly Float32Array[] {
  return Array.from({ length: sound.numberOfChannels }, (_, index) => sound.getChannelData(index));
}

function keyOf({ packageId, soundId }: SoundPlace): string {
  return JSON.stringify([packageId, soundId]);
}
