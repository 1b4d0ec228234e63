import { OUTLINE_BYTES } from "../../../core/audio/sound-limits.ts";
import { SoundStream } from "./sound-stream.ts";
import { channelsOf, OUTLINE_COLUMNS, peaksOf } from "../../../core/audio/peaks.ts";

/** Sample rate at which the pages decode and play, so that every sound is resampled once, at high quality. */
export const PAGE_RATE_HZ = 48_000;

/** Fetches a sound's WAV. The browser may keep it on disk. */
export type FetchSound = (sceneKey: string, soundId: string, revision: string) => Promise<Blob>;

/** Decodes sounds on request and caches the most recent ones; a new revision is a new sound. */
export class SoundBuffers {
  readonly #fetchSound: FetchSound;
  readonly #outlines = new Map<string, Promise<readonly number[]>>();
  /** The last requested waveform. Waveforms are made one after another; playback never waits for them. */
  #lastOutline: Promise<unknown> = Promise.resolve();
  readonly #decoding = new Map<string, Promise<AudioBuffer>>();
  readonly #kept = new KeptSounds<AudioBuffer>(MAX_SAMPLES, samplesOf);
  readonly #streams = new KeptSounds<SoundStream>(MAX_FILE_BYTES, ({ bytes }) => bytes);

  constructor(fetchSound: FetchSound) {
    this.#fetchSound = fetchSound;
  }

  /** Decodes a whole sound for playback. @throws {Error} with a sentence to show */
  async decoded(...sound: Parameters<FetchSound>): Promise<AudioBuffer> {
    const key = JSON.stringify(sound);
    const kept = this.#kept.get(key);
    if (kept !== undefined) return kept;
    const decoding = this.#decoding.get(key) ?? this.#decode(...sound);
    this.#decoding.set(key, decoding);
    try {
      return this.#kept.keep(key, await decoding);
    } finally {
      this.#decoding.delete(key);
    }
  }

  /** Fetches a long sound, which is decoded while it plays. @throws {Error} with a sentence to show */
  async streamed(...sound: Parameters<FetchSound>): Promise<SoundStream> {
    const key = JSON.stringify(sound);
    const kept = this.#streams.get(key);
    return (
      kept ?? this.#streams.keep(key, await SoundStream.open(await this.#fetchSound(...sound)))
    );
  }

  async #decode(...sound: Parameters<FetchSound>): Promise<AudioBuffer> {
    return decodeSound(await (await this.#fetchSound(...sound)).arrayBuffer());
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

/** The size of a cache of decoded sounds, in samples over all channels: about 100 MB. */
export const MAX_SAMPLES = 25_000_000;
/** The size of the cache of files that are decoded while they play; the browser may keep them on disk. */
const MAX_FILE_BYTES = 500_000_000;

/** Caches sounds up to a size, most recently used last. A single larger sound is cached, too. */
export class KeptSounds<Sound> {
  readonly #sounds = new Map<string, Sound>();
  readonly #maxSize: number;
  readonly #sizeOf: (sound: Sound) => number;

  constructor(maxSize: number, sizeOf: (sound: Sound) => number) {
    this.#maxSize = maxSize;
    this.#sizeOf = sizeOf;
  }

  /** Returns the sound, which becomes the most recent one. */
  get(key: string): Sound | undefined {
    const sound = this.#sounds.get(key);
    return sound === undefined ? undefined : this.keep(key, sound);
  }

  /** Caches a sound as the most recent one and evicts the oldest beyond the limit. */
  keep(key: string, sound: Sound): Sound {
    this.#sounds.delete(key);
    this.#sounds.set(key, sound);
    let size = [...this.#sounds.values()].reduce((sum, old) => sum + this.#sizeOf(old), 0);
    for (const [oldKey, old] of this.#sounds) {
      if (size <= this.#maxSize || oldKey === key) break;
      this.#sounds.delete(oldKey);
      size -= this.#sizeOf(old);
    }
    return sound;
  }
}

export function samplesOf({ length, numberOfChannels }: AudioBuffer): number {
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
