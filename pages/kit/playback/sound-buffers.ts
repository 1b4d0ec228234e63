import { OUTLINE_BYTES } from "../../../core/audio/sound-limits.ts";
import { channelsOf, OUTLINE_COLUMNS, peaksOf } from "../../../core/audio/peaks.ts";

/** Sample rate at which the pages decode and play, so that every sound is resampled once, at high quality. */
export const PAGE_RATE_HZ = 48_000;

/** Fetches a sound's WAV. */
export type FetchSound = (
  sceneKey: string,
  soundId: string,
  revision: string,
) => Promise<ArrayBuffer>;

/** Decodes sounds on request and caches the most recent ones; a new revision is a new sound. */
export class SoundBuffers {
  readonly #fetchSound: FetchSound;
  readonly #outlines = new Map<string, Promise<readonly number[]>>();
  /** The last requested waveform. Waveforms are made one after another; playback never waits for them. */
  #lastOutline: Promise<unknown> = Promise.resolve();
  readonly #decoding = new Map<string, Promise<AudioBuffer>>();
  readonly #kept = new KeptBuffers();

  constructor(fetchSound: FetchSound) {
    this.#fetchSound = fetchSound;
  }

  /** Decodes a whole sound for playback. @throws {Error} with a sentence to show */
  async decoded(...sound: Parameters<FetchSound>): Promise<AudioBuffer> {
    const key = JSON.stringify(sound);
    const kept = this.#kept.get(key);
    if (kept !== undefined) return kept;
    const decoding = this.#decoding.get(key) ?? this.#fetchSound(...sound).then(decodeSound);
    this.#decoding.set(key, decoding);
    try {
      return this.#kept.keep(key, await decoding);
    } finally {
      this.#decoding.delete(key);
    }
  }

  /**
   * Returns peaks from 0 to 1, read one sound at a time and once; empty for a large file.
   * @param bytes the file's size
   * @throws {Error} with a sentence to show; the next call fetches again
   */
  async outline(
    sceneKey: string,
    soundId: string,
    revision: string,
    bytes: number,
  ): Promise<readonly number[]> {
    if (bytes > OUTLINE_BYTES) return [];
    const sound = [sceneKey, soundId, revision] as const;
    const key = JSON.stringify(sound);
    const known = this.#outlines.get(key);
    if (known !== undefined) return known;
    const draw = async (): Promise<readonly number[]> =>
      peaksOf(channelsOf(await this.decoded(...sound)), OUTLINE_COLUMNS);
    const outline = this.#lastOutline.then(draw, draw);
    this.#lastOutline = outline;
    this.#outlines.set(key, outline);
    outline.catch(() => this.#outlines.delete(key));
    return outline;
  }
}

/** The cache's size, in samples over all channels: about 100 MB. A single larger sound is cached, too. */
const MAX_SAMPLES = 25_000_000;

/** Caches sounds up to a size, most recently used last. */
export class KeptBuffers {
  readonly #buffers = new Map<string, AudioBuffer>();

  /** Returns the sound, which becomes the most recent one. */
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
