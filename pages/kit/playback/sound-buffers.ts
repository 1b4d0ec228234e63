import { OUTLINE_BYTES } from "../../../core/audio/sound-limits.ts";
import { channelsOf, OUTLINE_COLUMNS, peaksOf } from "../../../core/audio/peaks.ts";

/** Fetches a sound's WAV. */
export type FetchSound = (
  sceneKey: string,
  soundId: string,
  revision: string,
) => Promise<ArrayBuffer>;

/** Decodes sounds on request; a new revision is a new sound. */
export class SoundBuffers {
  readonly #fetchSound: FetchSound;
  readonly #kept = new KeptSounds();

  constructor(fetchSound: FetchSound) {
    this.#fetchSound = fetchSound;
  }

  /** @throws {Error} with a sentence */
  decoded(sceneKey: string, soundId: string, revision: string): Promise<AudioBuffer> {
    return this.#kept.decoded(...this.#argumentsFor(sceneKey, soundId, revision));
  }

  /**
   * Peaks from 0 to 1, read one sound at a time; empty for a large file.
   * @param bytes the file's size
   * @throws {Error} with a sentence
   */
  async outline(
    sceneKey: string,
    soundId: string,
    revision: string,
    bytes: number,
  ): Promise<readonly number[]> {
    if (bytes > OUTLINE_BYTES) return [];
    return this.#kept.outline(...this.#argumentsFor(sceneKey, soundId, revision));
  }

  #argumentsFor(
    ...place: Parameters<FetchSound>
  ): [key: string, fetch: () => Promise<ArrayBuffer>] {
    return [JSON.stringify(place), () => this.#fetchSound(...place)];
  }
}

/** Decodes sounds on demand and caches the most recent ones. */
class KeptSounds {
  readonly #outlines = new Map<string, Promise<readonly number[]>>();
  /** The last requested waveform: they are made one after another, while playback never waits. */
  #lastOutline: Promise<unknown> = Promise.resolve();
  readonly #decoding = new Map<string, Promise<AudioBuffer>>();
  readonly #buffers = new KeptBuffers();

  /**
   * Peaks from 0 to 1; fetched once.
   * @param key identifies the sound
   * @throws {Error} with a sentence to show; the next call fetches again
   */
  outline(key: string, fetch: () => Promise<ArrayBuffer>): Promise<readonly number[]> {
    const known = this.#outlines.get(key);
    if (known !== undefined) return known;
    const draw = async (): Promise<readonly number[]> => outlineOf(await this.decoded(key, fetch));
    const outline = this.#lastOutline.then(draw, draw);
    this.#lastOutline = outline;
    this.#outlines.set(key, outline);
    outline.catch(() => this.#outlines.delete(key));
    return outline;
  }

  /**
   * Decodes a whole sound for playback.
   * @param key identifies the sound
   * @throws {Error} with a sentence to show
   */
  async decoded(key: string, fetch: () => Promise<ArrayBuffer>): Promise<AudioBuffer> {
    const buffer = this.#buffers.get(key);
    if (buffer !== undefined) return buffer;
    const decoding = this.#decoding.get(key) ?? fetch().then(decodeSound);
    this.#decoding.set(key, decoding);
    try {
      return this.#buffers.keep(key, await decoding);
    } finally {
      this.#decoding.delete(key);
    }
  }
}

/** The cache's size, in samples over all channels: about 100 MB. One larger sound is kept alone. */
const MAX_SAMPLES = 25_000_000;

/** Caches sounds up to a size, most recently used last. */
export class KeptBuffers {
  readonly #buffers = new Map<string, AudioBuffer>();

  /** The sound, which becomes the most recent one. */
  get(key: string): AudioBuffer | undefined {
    const buffer = this.#buffers.get(key);
    return buffer === undefined ? undefined : this.keep(key, buffer);
  }

  /** Caches a sound as the most recent one and evicts the oldest beyond the limit. */
  keep(key: string, sound: AudioBuffer): AudioBuffer {
    this.#buffers.delete(key);
    this.#buffers.set(key, sound);
    let samples = [...this.#buffers.values()].reduce((sum, old) => sum + samplesOf(old), 0);
    for (const [oldKey, old] of this.#buffers) {
      if (samples <= MAX_SAMPLES || oldKey === key) break;
      this.#buffers.delete(oldKey);
      samples -= samplesOf(old);
    }
    return sound;
  }
}

function samplesOf({ length, numberOfChannels }: AudioBuffer): number {
  return length * numberOfChannels;
}

/** The pages decode and play at this rate, so that every sound is resampled once, at high quality. */
export const PAGE_RATE_HZ = 48_000;

/**
 * Decodes a sound for playback.
 * @param bytes the file's bytes, which are detached by the call
 * @throws {Error} with a sentence to show
 */
export async function decodeSound(bytes: ArrayBuffer): Promise<AudioBuffer> {
  try {
    return await new OfflineAudioContext(1, 1, PAGE_RATE_HZ).decodeAudioData(bytes);
  } catch (cause) {
    throw new Error("This file can’t be played here.", { cause });
  }
}

/** The sound's peaks from 0 to 1 over its whole length, for `formatOutline`. */
function outlineOf(sound: AudioBuffer): readonly number[] {
  return peaksOf(channelsOf(sound), OUTLINE_COLUMNS);
}
