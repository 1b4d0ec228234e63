import { Buffer } from "node:buffer";
import { freeBytes } from "../../core/audio/byte-pieces.ts";

/** The bytes that are written at once. */
const BUFFER_BYTES = 1024 ** 2;

/**
 * Memory that files fill and write, one after another. What a network reads comes in new memory each time: a download that
 * kept it until it is written would have V8 collect its whole heap, several times a package.
 */
export class WriteBuffers {
  readonly #spare: Uint8Array[] = [];
  #users = 0;

  /** Number of buffers that wait for their next use. */
  get spareCount(): number {
    return this.#spare.length;
  }

  /** Registers a user. */
  enter(): void {
    this.#users += 1;
  }

  /** Frees the memory with its last user. */
  leave(): void {
    this.#users -= 1;
    if (this.#users > 0) return;
    for (const buffer of this.#spare.splice(0)) freeBytes(buffer);
  }

  take(): Uint8Array {
    return this.#spare.pop() ?? Buffer.allocUnsafeSlow(BUFFER_BYTES);
  }

  /** Gives a buffer back, whole. */
  giveBack(buffer: Uint8Array): void {
    this.#spare.push(buffer);
  }
}
