/** Caches sounds up to a size, most recently used last. */
export class KeptBuffers {
  readonly #maxSamples: number;
  readonly #buffers = new Map<string, AudioBuffer>();

  /** @param maxSamples over all channels; one larger sound is kept alone */
  constructor(maxSamples: number) {
    this.#maxSamples = maxSamples;
  }

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
      if (samples <= this.#maxSamples || oldKey === key) break;
      this.#buffers.delete(oldKey);
      samples -= samplesOf(old);
    }
    return sound;
  }
}

function samplesOf({ length, numberOfChannels }: AudioBuffer): number {
  return length * numberOfChannels;
}
