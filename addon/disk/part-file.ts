import { Buffer } from "node:buffer";
import { constants, type FileHandle, open, rename, rm } from "node:fs/promises";
import { freeBytes } from "../../core/audio/byte-pieces.ts";
import { withPath } from "../../program/flush-folder.ts";
import { flushData } from "./atomic-file.ts";
import { WriteBuffers } from "./write-buffers.ts";

/** The bytes that are read at once. */
const READ_BYTES = 1024 ** 2;
/** The flag that refuses a link instead of following it (rule F4). Windows has none. */
const NO_FOLLOW = constants.O_NOFOLLOW ?? 0;

/** Takes a piece; a promise asks to wait before the next one. */
type ShowPiece = (piece: Uint8Array) => Promise<void> | undefined;

/** The memory of all partial downloads: two buffers for each that runs. */
export const PART_BUFFERS = new WriteBuffers();

/** A partial download next to its final path; `finish` renames it (rule F3). */
export class PartFile {
  readonly #file: FileHandle;
  readonly #path: string;
  #writtenBytes = 0;
  /** The size of the file as an earlier run left it. */
  #leftBytes: number;
  #writing: Promise<void> = Promise.resolve();
  /** The buffer that fills while another one is written. */
  #buffer: Uint8Array | undefined;
  #filledBytes = 0;

  private constructor(file: FileHandle, path: string, leftBytes: number) {
    this.#file = file;
    this.#path = path;
    this.#leftBytes = leftBytes;
    PART_BUFFERS.enter();
  }

  /** Opens the partial file of `finalPath`, with the bytes that an earlier run left in it. */
  static async open(finalPath: string): Promise<PartFile> {
    const path = partPathOf(finalPath);
    const file = await open(path, constants.O_RDWR | constants.O_CREAT | NO_FOLLOW, 0o644);
    return new PartFile(file, path, (await file.stat()).size);
  }

  /** Reads the existing bytes in order, up to `maxBytes`; later writes are appended to them. */
  async readBack(maxBytes: number, show: ShowPiece): Promise<void> {
    for await (const piece of readPieces(this.#file, Math.min(maxBytes, this.#leftBytes))) {
      await show(piece);
      this.#writtenBytes += piece.byteLength;
    }
  }

  /** Reads once more, in order, what was read back and written so far. */
  async readAgain(show: ShowPiece): Promise<void> {
    await this.#writeAll();
    for await (const piece of readPieces(this.#file, this.#writtenBytes)) await show(piece);
  }

  /** Discards the content. */
  async restart(): Promise<void> {
    await this.#writing;
    if (this.#leftBytes > 0 || this.#writtenBytes > 0) await this.#file.truncate(0);
    this.#filledBytes = 0;
    this.#writtenBytes = 0;
    this.#leftBytes = 0;
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

  /** Writes the rest and closes the file, so that a later run can resume it. */
  async keep(): Promise<void> {
    try {
      await this.#writeAll();
    } finally {
      await this.#close();
    }
  }

  /** Closes and deletes the file. */
  async discard(): Promise<void> {
    await Promise.allSettled([this.#writing]);
    await this.#close();
    await rm(this.#path, { force: true });
  }

  /** Flushes, closes and renames the file. The caller flushes the folder. */
  async finish(finalPath: string): Promise<void> {
    try {
      await this.#writeAll();
      if (this.#leftBytes > this.#writtenBytes) await this.#file.truncate(this.#writtenBytes);
      await flushData(this.#file).catch((error) => this.#fail(error));
    } finally {
      await this.#close();
    }
    await rename(this.#path, finalPath);
  }

  /** @throws the error of the open file, with its path */
  #fail(error: unknown): never {
    throw withPath(error, this.#path);
  }

  /** Copies what fits of a piece into the buffer. Returns where its rest begins. */
  #fill(piece: Uint8Array, start: number): number {
    this.#buffer ??= PART_BUFFERS.take();
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

  async #writeAll(): Promise<void> {
    await this.#writing;
    await this.#writeBuffer();
  }

  /** Writes the buffer, which is given back. Another one can be filled at once. */
  async #writeBuffer(): Promise<void> {
    const [buffer, length] = [this.#buffer, this.#filledBytes];
    this.#buffer = undefined;
    this.#filledBytes = 0;
    if (buffer === undefined) return;
    try {
      for (let start = 0; start < length;) {
        const writing = this.#file.write(buffer, start, length - start, this.#writtenBytes);
        const { bytesWritten } = await writing.catch((error) => this.#fail(error));
        this.#writtenBytes += bytesWritten;
        start += bytesWritten;
      }
    } finally {
      PART_BUFFERS.giveBack(buffer);
    }
  }

  async #close(): Promise<void> {
    if (this.#buffer !== undefined) PART_BUFFERS.giveBack(this.#buffer);
    this.#buffer = undefined;
    PART_BUFFERS.leave();
    await this.#file.close();
  }
}

export function partPathOf(finalPath: string): string {
  return `${finalPath}.part`;
}

/** Reads an open file from its start, up to `maxBytes`, in pieces of at most 1 MiB. */
export async function* readPieces(file: FileHandle, maxBytes: number): AsyncGenerator<Uint8Array> {
  for (let offset = 0; offset < maxBytes;) {
    const length = Math.min(READ_BYTES, maxBytes - offset);
    const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(length), 0, length, offset);
    if (bytesRead === 0) return;
    yield buffer.subarray(0, bytesRead);
    offset += bytesRead;
  }
}
