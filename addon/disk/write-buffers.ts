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

/** Gathers pieces in a buffer that fills while another one is written. */
export class BufferedWriter {
  readonly #buffers: WriteBuffers;
  readonly #writeOut: (bytes: Uint8Array) => Promise<void>;
  #buffer: Uint8Array | undefined;
  #filledBytes = 0;
  #writing: Promise<void> = Promise.resolve();

  /** @param writeOut writes bytes after those before; called again once it has resolved */
  constructor(buffers: WriteBuffers, writeOut: (bytes: Uint8Array) => Promise<void>) {
    this.#buffers = buffers;
    this.#writeOut = writeOut;
    buffers.enter();
  }

  /**
   * Appends a piece and frees it. Returns a promise only where a buffer is full: the caller waits for it, so that no
   * more than two buffers hold what the disk has yet to take.
   */
  write(piece: Uint8Array): Promise<void> | undefined {
    const start = this.#fill(piece, 0);
    if (start < piece.byteLength) return this.#writeOn(piece, start);
    freeBytes(piece);
    return undefined;
  }

  /** Writes what is left. */
  async writeAll(): Promise<void> {
    await this.#writing;
    await this.#writeBuffer();
  }

  /** Drops what isn't being written. Resolves when nothing is; `writeAll` reports a failure. */
  async drop(): Promise<void> {
    this.#filledBytes = 0;
    await Promise.allSettled([this.#writing]);
  }

  /** Gives its memory back. */
  close(): void {
    if (this.#buffer !== undefined) this.#buffers.giveBack(this.#buffer);
    this.#buffer = undefined;
    this.#buffers.leave();
  }

  /** Copies what fits of a piece into the buffer. Returns where its rest begins. */
  #fill(piece: Uint8Array, start: number): number {
    this.#buffer ??= this.#buffers.take();
    const end = Math.min(piece.byteLength, start + this.#buffer.byteLength - this.#filledBytes);
    const isWhole = start === 0 && end === piece.byteLength;
    this.#buffer.set(isWhole ? piece : piece.subarray(start, end), this.#filledBytes);
    this.#filledBytes += end - start;
    return end;
  }

  async #writeOn(piece: Uint8Array, start: number): Promise<void> {
    for (let rest = start; rest < piece.byteLength; rest = this.#fill(piece, rest)) {
      await this.#writing;
      this.#writing = this.#writeBuffer();
      // The next await of `#writing` reports the failure.
      this.#writing.catch(() => undefined);
    }
    freeBytes(piece);
  }

  /** Writes the buffer, which is given back. Another one can be filled at once. */
  async #writeBuffer(): Promise<void> {
    const [buffer, length] = [this.#buffer, this.#filledBytes];
    this.#buffer = undefined;
    this.#filledBytes = 0;
    if (buffer === undefined) return;
    try {
      await this.#writeOut(buffer.subarray(0, length));
    } finally {
      this.#buffers.giveBack(buffer);
    }
  }
}
