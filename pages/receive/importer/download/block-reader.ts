/** Memory that a stream reads into. */
const PIECE_BYTES = 256 * 1024;

/**
 * Gathers a body into blocks, all in the same memory: what a stream makes for each piece is freed late, and takes more than
 * a page may have.
 */
export class BlockReader {
  readonly #read: () => Promise<Uint8Array | undefined>;
  readonly #block: Uint8Array;
  #sizeBytes = 0;
  /** Bytes that were read and aren't in the block yet. */
  #rest: Uint8Array = new Uint8Array();

  constructor(body: ReadableStream<Uint8Array>, blockBytes: number) {
    this.#block = new Uint8Array(blockBytes);
    this.#read = readerOf(body);
  }

  /** Number of bytes in the block. */
  get sizeBytes(): number {
    return this.#sizeBytes;
  }

  get isFull(): boolean {
    return this.#sizeBytes === this.#block.byteLength;
  }

  /** Reads on until something is in the block; resolves with false at the end. */
  async read(): Promise<boolean> {
    if (this.#rest.byteLength === 0) {
      const piece = await this.#read();
      if (piece === undefined) return false;
      this.#rest = piece;
    }
    const next = this.#rest.subarray(0, this.#block.byteLength - this.#sizeBytes);
    this.#block.set(next, this.#sizeBytes);
    this.#sizeBytes += next.byteLength;
    this.#rest = this.#rest.subarray(next.byteLength);
    return true;
  }

  /** Takes the block's bytes, which are valid until the next `read`. */
  take(): Uint8Array {
    const block = this.#block.subarray(0, this.#sizeBytes);
    this.#sizeBytes = 0;
    return block;
  }
}

/** Returns a function that reads the next piece, into the same memory where the browser can. */
function readerOf(body: ReadableStream<Uint8Array>): () => Promise<Uint8Array | undefined> {
  try {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a body that isn't of bytes has no such reader
    const bytes = body as unknown as ReadableStream<Uint8Array<ArrayBuffer>>;
    const reader = bytes.getReader({ mode: "byob" });
    let memory = new ArrayBuffer(PIECE_BYTES);
    return async () => {
      const { done, value } = await reader.read(new Uint8Array(memory));
      if (done) return undefined;
      // The stream has moved the memory to a new buffer.
      memory = value.buffer;
      return value;
    };
  } catch {
    const reader = body.getReader();
    return async () => {
      const { done, value } = await reader.read();
      return done ? undefined : value;
    };
  }
}
