import { Buffer } from "node:buffer";
import { constants, type FileHandle, open, rename, rm } from "node:fs/promises";
import { withPath } from "../../program/flush-folder.ts";
import { flushData } from "./atomic-file.ts";
import { BufferedWriter, WriteBuffers } from "./write-buffers.ts";

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
  readonly #writer: BufferedWriter;
  #writtenBytes = 0;
  /** The size of the file as an earlier run left it. */
  #leftBytes: number;

  private constructor(file: FileHandle, path: string, leftBytes: number) {
    this.#file = file;
    this.#path = path;
    this.#leftBytes = leftBytes;
    this.#writer = new BufferedWriter(PART_BUFFERS, (bytes) => this.#append(bytes));
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
    await this.#writer.writeAll();
    for await (const piece of readPieces(this.#file, this.#writtenBytes)) await show(piece);
  }

  /** Discards the content. */
  async restart(): Promise<void> {
    await this.#writer.drop();
    await this.#writer.writeAll();
    if (this.#leftBytes > 0 || this.#writtenBytes > 0) await this.#file.truncate(0);
    this.#writtenBytes = 0;
    this.#leftBytes = 0;
  }

  /** Appends a piece and takes ownership of it. Waits, if it returns a promise, as long as two buffers are full. */
  write(piece: Uint8Array): Promise<void> | undefined {
    return this.#writer.write(piece);
  }

  /** Writes the rest and closes the file, so that a later run can resume it. */
  async keep(): Promise<void> {
    try {
      await this.#writer.writeAll();
    } finally {
      await this.#close();
    }
  }

  /** Closes and deletes the file. */
  async discard(): Promise<void> {
    await this.#writer.drop();
    await this.#close();
    await rm(this.#path, { force: true });
  }

  /** Flushes, closes and renames the file. The caller flushes the folder. */
  async finish(finalPath: string): Promise<void> {
    try {
      await this.#writer.writeAll();
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

  async #append(bytes: Uint8Array): Promise<void> {
    for (let start = 0; start < bytes.byteLength;) {
      const writing = this.#file.write(bytes, start, bytes.byteLength - start, this.#writtenBytes);
      const { bytesWritten } = await writing.catch((error) => this.#fail(error));
      this.#writtenBytes += bytesWritten;
      start += bytesWritten;
    }
  }

  async #close(): Promise<void> {
    this.#writer.close();
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
