import type { SoundShelf } from "./sound-shelf.ts";

/** A sound that plays, or that is decoded to be played. */
interface Playing {
  readonly source: Blob;
  /** Stops it; nothing is there to be stopped while it is decoded. */
  readonly stop: (() => void) | null;
}

/** Plays one sound at a time. */
export class SoundPlayer {
  readonly #shelf: SoundShelf;
  readonly #listeners = new Set<() => void>();
  #context: AudioContext | undefined;
  #playing: Playing | null = null;

  constructor(shelf: SoundShelf) {
    this.#shelf = shelf;
  }

  plays(source: Blob): boolean {
    return this.#playing?.source === source;
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
   * @throws {Error} with a sentence, when it can't be decoded
   */
  async play(source: Blob, isLoop: boolean): Promise<void> {
    this.stop();
    const decoding: Playing = { source, stop: null };
    this.#change(decoding);
    // Made in the click itself: browsers let nothing else make sound.
    const context = (this.#context ??= new AudioContext());
    try {
      await context.resume();
      const buffer = await this.#shelf.decoded(source);
      // Another one was played meanwhile, or this one stopped.
      if (this.#playing !== decoding) return;
      this.#change({ source, stop: this.#start(context, { buffer, loop: isLoop }) });
    } catch (error) {
      if (this.#playing === decoding) this.#change(null);
      throw error;
    }
  }

  stop(): void {
    this.#playing?.stop?.();
    if (this.#playing !== null) this.#change(null);
  }

  #start(context: AudioContext, options: AudioBufferSourceOptions): () => void {
    const node = new AudioBufferSourceNode(context, options);
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
