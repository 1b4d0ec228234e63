import { KeptSounds } from "../../../web/kept-sounds.ts";
import type { ControlCalls } from "../control-calls.ts";

export interface SoundPlace {
  readonly packageId: string;
  readonly soundId: string;
}

/** Returns a sound's key in the player. */
export function keyOf({ packageId, soundId }: SoundPlace): string {
  return JSON.stringify([packageId, soundId]);
}

/** Fetches, decodes and caches sounds, until the signal aborts. */
export class SoundCache {
  readonly #calls: ControlCalls;
  readonly #signal: AbortSignal;
  readonly #kept = new KeptSounds();

  constructor(calls: ControlCalls, signal: AbortSignal) {
    this.#calls = calls;
    this.#signal = signal;
  }

  /**
   * Returns peaks from 0 to 1; fetches each sound once, one at a time.
   * @throws {Error} with a sentence, also for a file over `maxBytes`
   */
  outline(place: SoundPlace, maxBytes: number): Promise<readonly number[]> {
    return this.#kept.outline(keyOf(place), () => this.#fetch(place, maxBytes));
  }

  /** @throws {Error} with a sentence, also for a file over `maxBytes` */
  decoded(place: SoundPlace, maxBytes: number): Promise<AudioBuffer> {
    return this.#kept.decoded(keyOf(place), () => this.#fetch(place, maxBytes));
  }

  #fetch({ packageId, soundId }: SoundPlace, maxBytes: number): Promise<ArrayBuffer> {
    return this.#calls.sound(packageId, soundId, { maxBytes, signal: this.#signal });
  }
}
