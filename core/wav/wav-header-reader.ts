import { Refusal } from "../protocol/refusal.ts";
import type { WavHeader } from "./wav-header.ts";
import { WavHeaderWalk } from "./wav-header-walk.ts";

/**
 * Reads a WAV's header from a stream: pieces of any size, in order, none left out (rules U1, U4).
 * It keeps a few dozen bytes and decides as early as the bytes allow; once it has, pushing is free.
 */
export class WavHeaderReader {
  readonly #walk: WavHeaderWalk;
  #pushedBytes = 0;

  /**
   * @param fileBytes announced size of the whole file: `data` must lie inside it.
   * @param fileName named by the sentence of a refusal.
   */
  constructor(fileBytes: number, fileName: string) {
    this.#walk = new WavHeaderWalk(fileBytes, fileName);
  }

  /** The header, once it is known. */
  get header(): WavHeader | undefined {
    const { outcome } = this.#walk;
    return outcome instanceof Refusal ? undefined : outcome;
  }

  /**
   * Takes the next piece, which is not kept.
   * @returns the header as soon as it is known.
   * @throws {Refusal} a `WAV_…` of rule U4, again at every later call.
   */
  push(piece: Uint8Array): WavHeader | undefined {
    this.#walk.show(piece, this.#pushedBytes);
    this.#pushedBytes += piece.byteLength;
    const { outcome } = this.#walk;
    if (outcome instanceof Refusal) throw outcome;
    return outcome;
  }

  /**
   * Says that the stream has ended.
   * @throws {Refusal} also when the stream ended before the header was known.
   */
  end(): WavHeader {
    const outcome = this.#walk.end();
    if (outcome instanceof Refusal) throw outcome;
    return outcome;
  }
}
