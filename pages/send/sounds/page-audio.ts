import { ViewStore } from "../../../core/view-store.ts";
import type { ClipAudio } from "../../kit/clip-list/clip-row.ts";
import { t } from "../../kit/page-language.ts";
import { peaks } from "../../../client/audio/decode.ts";
import { readPiece } from "../../../client/send/sound-bytes.ts";
import { OUTLINE_BYTES } from "../../../core/audio/sound-limits.ts";
import { decodeSound, PAGE_RATE_HZ } from "../../kit/playback/sound-buffers.ts";

/** A sound that a clip list can play. */
export interface HeardSound {
  readonly source: Blob;
  readonly isLoop: boolean;
}

/** Plays and draws the sounds on this page for a clip list. */
export class PageAudio implements ClipAudio {
  readonly #find: (key: string) => HeardSound | undefined;
  readonly #cache: SoundCache;
  readonly #player: SoundPlayer;

  /** @param find finds the sound of a row, while it is on the page */
  constructor(
    find: (key: string) => HeardSound | undefined,
    cache: SoundCache,
    player: SoundPlayer,
  ) {
    this.#find = find;
    this.#cache = cache;
    this.#player = player;
  }

  async outline(key: string): Promise<readonly number[]> {
    const { source } = this.#get(key);
    return this.#cache.outline(source);
  }

  async toggle(key: string): Promise<void> {
    const { source, isLoop } = this.#get(key);
    if (this.#player.plays(source)) this.#player.stop();
    else await this.#player.play(source, () => this.#cache.decoded(source), isLoop);
  }

  isPlaying(key: string): boolean {
    const sound = this.#find(key);
    return sound !== undefined && this.#player.plays(sound.source);
  }

  position(key: string): number | null {
    const sound = this.#find(key);
    return sound === undefined ? null : this.#player.position(sound.source);
  }

  subscribe(listener: () => void): () => void {
    return this.#player.subscribe(listener);
  }

  #get(key: string): HeardSound {
    const sound = this.#find(key);
    if (sound === undefined) throw new Error(t("page.notHere"));
    return sound;
  }
}

/** Decodes sounds for playback and for waveforms, and caches the waveforms. */
export class SoundCache {
  readonly #outlines = new WeakMap<Blob, Promise<readonly number[]>>();
  /** The last requested waveform. Waveforms are made one after another, because each holds a whole sound in memory. */
  #last: Promise<unknown> = Promise.resolve();

  /** Returns peaks from 0 to 1; empty if the file is large or can't be decoded here. */
  outline(source: Blob): Promise<readonly number[]> {
    const known = this.#outlines.get(source);
    if (known !== undefined) return known;
    const outline = this.#last.then(() => this.#draw(source));
    this.#last = outline;
    this.#outlines.set(source, outline);
    return outline;
  }

  /** Decodes a sound for playback. @throws {Error} with a sentence to show */
  async decoded(source: Blob): Promise<AudioBuffer> {
    return decodeSound((await readPiece(source, 0, source.size)).buffer);
  }

  async #draw(source: Blob): Promise<readonly number[]> {
    if (source.size > OUTLINE_BYTES) return [];
    try {
      return peaks(await this.decoded(source));
    } catch {
      // The waveform is optional; Play reports what is wrong.
      return [];
    }
  }
}

/** A sound that is playing or being decoded. */
interface Playing {
  readonly source: Blob;
  /** Stops the sound; absent while it is being decoded. */
  readonly stop?: () => void;
  /** Returns the position from 0 to 1; absent while it is being decoded. */
  readonly position?: () => number;
}

/** Plays one sound at a time (rule N6). */
export class SoundPlayer extends ViewStore<{ readonly playing: Playing | null }> {
  #context: AudioContext | undefined;

  constructor() {
    super({ playing: null });
  }

  plays(source: Blob): boolean {
    return this.view.playing?.source === source;
  }

  /** Returns the position from 0 to 1; null while the sound is silent. */
  position(source: Blob): number | null {
    return this.plays(source) ? (this.view.playing?.position?.() ?? null) : null;
  }

  /**
   * Plays a sound and stops the previous one. A loop plays until it is stopped.
   * @param decode decodes the sound; its errors are passed on
   */
  async play(source: Blob, decode: () => Promise<AudioBuffer>, isLoop: boolean): Promise<void> {
    this.stop();
    const decoding: Playing = { source };
    this.change({ playing: decoding });
    // Browsers allow audio only if the context is created in the click handler.
    const context = (this.#context ??= new AudioContext({ sampleRate: PAGE_RATE_HZ }));
    try {
      await context.resume();
      const buffer = await decode();
      // Another sound was played meanwhile, or this one was stopped.
      if (this.view.playing !== decoding) return;
      this.change({ playing: { source, ...this.#start(context, { buffer, loop: isLoop }) } });
    } catch (error) {
      if (this.view.playing === decoding) this.change({ playing: null });
      throw error;
    }
  }

  stop(): void {
    this.view.playing?.stop?.();
    if (this.view.playing !== null) this.change({ playing: null });
  }

  #start(context: AudioContext, options: { readonly buffer: AudioBuffer; readonly loop: boolean }) {
    const { duration } = options.buffer;
    const node = new AudioBufferSourceNode(context, options);
    const stop = (): void => node.stop();
    node.addEventListener("ended", () => {
      if (this.view.playing?.stop === stop) this.change({ playing: null });
    });
    node.connect(context.destination);
    node.start();
    const startedAt = context.currentTime;
    const position = (): number => ((context.currentTime - startedAt) / duration) % 1;
    return { stop, position };
  }
}
