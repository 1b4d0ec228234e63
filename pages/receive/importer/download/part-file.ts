/** The part of a synchronous handle of a private file that is used here; only Workers have one. */
export interface SyncHandle {
  read(buffer: Uint8Array, options: { readonly at: number }): number;
  write(buffer: Uint8Array, options: { readonly at: number }): number;
  truncate(size: number): void;
  getSize(): number;
  flush(): void;
  close(): void;
}

/** Bytes behind an unfinished sound that say how many of its bytes are there. */
const TRAILER_BYTES = 8;

/**
 * A sound in a private file. The file has its whole size from the start, because each growth is a question to the browser's
 * main process; a number behind the sound says how much of it is there, until it is whole.
 */
export class PartFile {
  readonly #handle: SyncHandle;
  readonly #soundBytes: number;
  #seenBytes = 0;

  /** @throws {DOMException} when the browser has no room */
  constructor(handle: SyncHandle, soundBytes: number) {
    this.#handle = handle;
    this.#soundBytes = soundBytes;
    const sizeBytes = handle.getSize();
    if (sizeBytes === soundBytes) this.#seenBytes = soundBytes;
    else if (sizeBytes === soundBytes + TRAILER_BYTES) this.#seenBytes = this.#readTrailer();
    else this.restart();
  }

  /** Number of the sound's bytes that are there. They may be damaged. */
  get seenBytes(): number {
    return this.#seenBytes;
  }

  /** Reads what is there, in order, with the same memory for each piece. */
  readAll(block: Uint8Array, onPiece: (piece: Uint8Array) => void): void {
    for (let at = 0; at < this.#seenBytes;) {
      const wanted = block.subarray(0, this.#seenBytes - at);
      const read = this.#handle.read(wanted, { at });
      if (read === 0) return;
      onPiece(wanted.subarray(0, read));
      at += read;
    }
  }

  /** Writes the next bytes. @throws {DOMException} when the browser has no room */
  append(piece: Uint8Array): void {
    const at = this.#seenBytes;
    if (this.#handle.write(piece, { at }) < piece.byteLength) {
      throw new DOMException("Nothing more was written.", "QuotaExceededError");
    }
    this.#seenBytes += piece.byteLength;
    this.#writeTrailer();
  }

  /** Begins at the first byte again. */
  restart(): void {
    this.#seenBytes = 0;
    this.#handle.truncate(this.#soundBytes + TRAILER_BYTES);
    this.#writeTrailer();
  }

  /** Ends the file with the last byte of the sound. */
  finish(): void {
    this.#handle.truncate(this.#soundBytes);
    this.#handle.flush();
  }

  close(): void {
    this.#handle.close();
  }

  #readTrailer(): number {
    const trailer = new DataView(new ArrayBuffer(TRAILER_BYTES));
    this.#handle.read(new Uint8Array(trailer.buffer), { at: this.#soundBytes });
    const seenBytes = trailer.getFloat64(0);
    return seenBytes >= 0 && seenBytes <= this.#soundBytes ? seenBytes : 0;
  }

  #writeTrailer(): void {
    const trailer = new DataView(new ArrayBuffer(TRAILER_BYTES));
    trailer.setFloat64(0, this.#seenBytes);
    this.#handle.write(new Uint8Array(trailer.buffer), { at: this.#soundBytes });
  }
}
