import { PLAY_BYTES } from "../../../core/page/sound-limits.ts";
import type { SoundPlace, SoundShelf } from "./sound-shelf.ts";

/** A sound that plays, or that is fetched to be played. */
interface Playing {
  readonly packageId: string;
  readonly soundId: string;
  /** Stops it; nothing is there to be stopped while it is fetched. */
  readonly stop: (() => void) | null;
}

/** Plays one sound at a time (rule N6). */
export class SoundPlayer {
  readonly #shelf: SoundShelf;
  readonly #listeners = new Set<() => void>();
  #context: AudioContext | undefined;
  #playing: Playing | null = null;

  constructor(shelf: SoundShelf, signal: AbortSignal) {
    this.#shelf = shelf;
    signal.addEventListener("abort", () => this.stop());
  }

  plays({ packageId, soundId }: SoundPlace): boolean {
    return this.#playing?.packageId === packageId && this.#playing.soundId === soundId;
  }

  /** Calls the listener when another sound plays, or none; gives the function that ends it. */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  }

  /**
   * Plays the sound, a loop until it is stopped, and stops what played.
   * @throws {Error} with a sentence, when it can't be fetched or decoded
   */
  async play(place: SoundPlace, isLoop: boolean): Promise<void> {
    this.stop();
    const { packageId, soundId } = place;
    const fetched: Playing = { packageId, soundId, stop: null };
    this.#change(fetched);
    // Made in the click itself: browsers let nothing else make sound.
    const context = (this.#context ??= new AudioContext());
    try {
      await context.resume();
      const sound = await this.#shelf.decoded(place, PLAY_BYTES);
      // Another one was played meanwhile, or this one stopped.
      if (this.#playing !== fetched) return;
      this.#change({ packageId, soundId, stop: this.#start(context, sound, isLoop) });
    } catch (error) {
      if (this.#playing === fetched) this.#change(null);
      throw error;
    }
  }

  stop(): void {
    this.#playing?.stop?.();
    if (this.#playing !== null) this.#change(null);
  }

  #start(context: AudioContext, sound: AudioBuffer, isLoop: boolean): () => void {
    const node = new AudioBufferSourceNode(context, { buffer: sound, loop: isLoop });
    const stop = (): void => node.stop();
    node.addEventListener("ended", () => {
      if (this.#playing?.stop === stop) this.#change(null);
    });
    node.connect(context.destination);
    node.start();
    return stop;
  }

  #change(playing: Playing | null): void {
    this.#playing = playing;
    for (const listener of this.#listeners) listener();
  }
}
