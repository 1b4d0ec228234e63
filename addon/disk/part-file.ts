import { Buffer } from "node:buffer";
import { constants, type FileHandle, open, rename, rm } from "node:fs/promises";
import { freeBytes, withoutFirstBytes } from "../../core/audio/byte-pieces.ts";
import { withPath } from "../../program/flush-folder.ts";
import { flushData } from "./atomic-file.ts";

/** The size up to which pieces are buffered before they are written. */
const BATCH_BYTES = 1024 ** 2;
/** The flag that refuses a link instead of following it (rule F4). Windows has none. */
const NO_FOLLOW = constants.O_NOFOLLOW ?? 0;

/** Takes a piece; a promise asks to wait before the next one. */
type ShowPiece = (piece: Uint8Array) => Promise<void> | undefined;

/** A partial download next to its final path; `finish` renames it (rule F3). Memory stays at about one batch. */
export class PartFile {
  readonly #file: FileHandle;
  readonly #path: string;
  #batch: Uint8Array[] = [];
  #batchBytes = 0;
  #writtenBytes = 0;
  /** The size of the file as an earlier run left it. */
  #leftBytes: number;
  #writing: Promise<void> = Promise.resolve();

  private constructor(file: FileHandle, path: string, leftBytes: number) {
    this.#file = file;
    this.#path = path;
    this.#leftBytes = leftBytes;
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
    await this.#writing;
    await this.#writeBatch();
    for await (const piece of readPieces(this.#file, this.#writtenBytes)) await show(piece);
  }

  /** Discards the content. */
  async restart(): Promise<void> {
    await this.#writing;
    if (this.#leftBytes > 0 || this.#writtenBytes > 0) await this.#file.truncate(0);
    this.#batch = [];
    this.#batchBytes = 0;
    this.#writtenBytes = 0;
    this.#leftBytes = 0;
  }

  /**
   * Appends a piece and takes ownership of it: its memory is freed once it is written, while the next batch fills.
   * Returns a promise only where a batch is full: the caller waits for it.
   */
  write(piece: Uint8Array): Promise<void> | undefined {
    this.#batch.push(piece);
    this.#batchBytes += piece.byteLength;
    return this.#batchBytes < BATCH_BYTES ? undefined : this.#startBatch();
  }

  async #startBatch(): Promise<void> {
    await this.#writing;
    this.#writing = this.#writeBatch();
    // The next await of `#writing` reports the failure.
    this.#writing.catch(() => undefined);
  }

  /** Writes the rest and closes the file, so that a later run can resume it. */
  async keep(): Promise<void> {
    try {
      await this.#writing;
      await this.#writeBatch();
    } finally {
      await this.#file.close();
    }
  }

  /** Closes and deletes the file. */
  async discard(): Promise<void> {
    await Promise.allSettled([this.#writing]);
    await this.#file.close();
    await rm(this.#path, { force: true });
  }

  /** Flushes, closes and renames the file. The caller flushes the folder. */
  async finish(finalPath: string): Promise<void> {
    try {
      await this.#writing;
      await this.#writeBatch();
      if (this.#leftBytes > this.#writtenBytes) await this.#file.truncate(this.#writtenBytes);
      await flushData(this.#file).catch((error) => this.#fail(error));
    } finally {
      await this.#file.close();
    }
    await rename(this.#path, finalPath);
  }

  /** @throws the error of the open file, with its path */
  #fail(error: unknown): never {
    throw withPath(error, this.#path);
  }

  async #writeBatch(): Promise<void> {
    const batch = this.#batch;
    this.#batch = [];
    this.#batchBytes = 0;
    let rest: readonly Uint8Array[] = batch;
    while (rest.length > 0) {
      const writing = this.#file.writev(rest, this.#writtenBytes);
      const { bytesWritten } = await writing.catch((error) => this.#fail(error));
      this.#writtenBytes += bytesWritten;
      rest = withoutFirstBytes(rest, bytesWritten);
    }
    for (const piece of batch) freeBytes(piece);
  }
}

export function partPathOf(finalPath: string): string {
  return `${finalPath}.part`;
}

/** Reads an open file from its start, up to `maxBytes`, in pieces of at most 1 MiB. */
export async function* readPieces(file: FileHandle, maxBytes: number): AsyncGenerator<Uint8Array> {
  for (let offset = 0; offset < maxBytes;) {
    const length = Math.min(BATCH_BYTES, maxBytes - offset);
    const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(length), 0, length, offset);
    if (bytesRead === 0) return;
    yield buffer.subarray(0, bytesRead);
    offset += bytesRead;
  }
}
