import { KeptSounds } from "../../../web/kept-sounds.ts";
import type { ControlCalls } from "../control-calls.ts";

/** Where a sound is. */
export interface SoundPlace {
  readonly packageId: string;
  readonly soundId: string;
}

/** Stands for a sound in the player. */
export function keyOf({ packageId, soundId }: SoundPlace): string {
  return JSON.stringify([packageId, soundId]);
}

/** Fetches and decodes sounds, and keeps the last ones. Nothing goes on once the signal aborts. */
export class SoundCache {
  readonly #calls: ControlCalls;
  readonly #signal: AbortSignal;
  readonly #kept = new KeptSounds();

  constructor(calls: ControlCalls, signal: AbortSignal) {
    this.#calls = calls;
    this.#signal = signal;
  }

  /**
   * Peaks from 0 to 1; fetched once, one sound after another.
   * @throws {Error} with a sentence; also where its file has more than `maxBytes`
   */
  outline(place: SoundPlace, maxBytes: number): Promise<readonly number[]> {
    return this.#kept.outline(keyOf(place), () => this.#fetch(place, maxBytes));
  }

  /**
   * A whole sound, ready to play.
   * @throws {Error} with a sentence; also where its file has more than `maxBytes`
   */
  decoded(place: SoundPlace, maxBytes: number): Promise<AudioBuffer> {
    return this.#kept.decoded(keyOf(place), () => this.#fetch(place, maxBytes));
  }

  #fetch({ packageId, soundId }: SoundPlace, maxBytes: number): Promise<ArrayBuffer> {
    return this.#calls.sound(packageId, soundId, { maxBytes, signal: this.#signal });
  }
}
