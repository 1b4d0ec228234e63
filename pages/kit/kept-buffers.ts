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
