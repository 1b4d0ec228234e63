import { PAGE_RATE_HZ } from "./decode-sound.ts";

/** A sound that is playing or being fetched. */
interface Playing<Key> {
  readonly key: Key;
  /** Stops it; null while it is being fetched. */
  readonly stop: (() => void) | null;
  /** How far it is, from 0 to 1. */
  readonly position: (() => number) | null;
}

/** Plays one sound at a time. Keys identify sounds and are compared with `===` (rule N6). */
export class SoundPlayer<Key> {
  readonly #listeners = new Set<() => void>();
  #context: AudioContext | undefined;
  #playing: Playing<Key> | null = null;

  plays(key: Key): boolean {
    return this.#playing?.key === key;
  }

  /** How far the sound is, from 0 to 1; null while it is silent. */
  position(key: Key): number | null {
    return this.plays(key) ? (this.#playing?.position?.() ?? null) : null;
  }

  /** Calls the listener when playback changes. Returns a function that unsubscribes it. */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  }

  /**
   * Plays the sound, a loop until it is stopped, and stops the previous one.
   * @param decode decodes the sound; its errors are passed on
   */
  async play(key: Key, decode: () => Promise<AudioBuffer>, isLoop: boolean): Promise<void> {
    this.stop();
    const fetched: Playing<Key> = { key, stop: null, position: null };
    this.#change(fetched);
    // Created in the click handler: browsers allow audio only there.
    const context = (this.#context ??= new AudioContext({ sampleRate: PAGE_RATE_HZ }));
    try {
      await context.resume();
      const buffer = await decode();
      // Another sound was played meanwhile, or this one was stopped.
      if (this.#playing !== fetched) return;
      this.#change({ key, ...this.#start(context, { buffer, loop: isLoop }) });
    } catch (error) {
      if (this.#playing === fetched) this.#change(null);
      throw error;
    }
  }

  stop(): void {
    this.#playing?.stop?.();
    if (this.#playing !== null) this.#change(null);
  }

  #start(context: AudioContext, options: { readonly buffer: AudioBuffer; readonly loop: boolean }) {
    const { duration } = options.buffer;
    const node = new AudioBufferSourceNode(context, options);
    const stop = (): void => node.stop();
    node.addEventListener("ended", () => {
      if (this.#playing?.stop === stop) this.#change(null);
    });
    node.connect(context.destination);
    node.start();
    const startedAt = context.currentTime;
    const position = (): number => ((context.currentTime - startedAt) / duration) % 1;
    return { stop, position };
  }

  #change(playing: Playing<Key> | null): void {
    this.#playing = playing;
    for (const listener of this.#listeners) listener();
  }
}
