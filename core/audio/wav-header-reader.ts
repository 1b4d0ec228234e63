import { Refusal } from "../protocol/refusal.ts";
import type { WavHeader } from "./wav-header.ts";
import { WavHeaderWalk } from "./wav-header-walk.ts";

/**
 * Reads a WAV's header from a stream of contiguous pieces of any size (rules U1, U4). Buffers at most a
 * few dozen bytes and settles as early as possible; further pushes do no work.
 */
export class WavHeaderReader {
  readonly #walk: WavHeaderWalk;
  #pushedBytes = 0;

  /**
   * @param fileBytes announced size of the whole file; `data` must lie inside it
   * @param fileName for the sentence of a refusal
   */
  constructor(fileBytes: number, fileName: string) {
    this.#walk = new WavHeaderWalk(fileBytes, fileName);
  }

  /** The header, or undefined until known. */
  get header(): WavHeader | undefined {
    const { outcome } = this.#walk;
    return outcome instanceof Refusal ? undefined : outcome;
  }

  /**
   * Reads the next piece without retaining it.
   * @returns the header once known
   * @throws {Refusal} a `WAV_…` of rule U4, again on every later call
   */
  push(piece: Uint8Array): WavHeader | undefined {
    this.#walk.show(piece, this.#pushedBytes);
    this.#pushedBytes += piece.byteLength;
    const { outcome } = this.#walk;
    if (outcome instanceof Refusal) throw outcome;
    return outcome;
  }

  /** Ends the stream; throws a `Refusal` if the header is incomplete, too. */
  end(): WavHeader {
    const outcome = this.#walk.end();
    if (outcome instanceof Refusal) throw outcome;
    return outcome;
  }
}
