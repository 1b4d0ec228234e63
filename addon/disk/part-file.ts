import { Buffer } from "node:buffer";
import { constants, type FileHandle, open, rename, rm } from "node:fs/promises";
import { BatchWriter, type WritableFile, WriteBudget } from "../../program/batch-writer.ts";
import { withPath } from "../../program/flush-folder.ts";
import { flushData } from "./atomic-file.ts";

/** The bytes that are read at once. */
const READ_BYTES = 1024 ** 2;
/** The flag that refuses a link instead of following it (rule F4). Windows has none. */
const NO_FOLLOW = constants.O_NOFOLLOW ?? 0;

/** Takes a piece; a promise asks to wait before the next one. */
type ShowPiece = (piece: Uint8Array) => Promise<void> | undefined;

/** The memory of all partial downloads. What a killed importer loses, the relay has: only whole batches are written. */
const BUDGET = new WriteBudget(Infinity);

/** A partial download next to its final path; `finish` renames it (rule F3). */
export class PartFile {
  readonly #file: FileHandle;
  readonly #path: string;
  readonly #leaveBudget = BUDGET.enter();
  /** The size of the file as an earlier run left it. */
  #leftBytes: number;
  #writer = this.#writeFrom(0);

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
    let readBytes = 0;
    try {
      for await (const piece of readPieces(this.#file, Math.min(maxBytes, this.#leftBytes))) {
        await show(piece);
        readBytes += piece.byteLength;
      }
    } finally {
      this.#writer = this.#writeFrom(readBytes);
    }
  }

  /** Reads once more, in order, what was read back and written so far. */
  async readAgain(show: ShowPiece): Promise<void> {
    await this.#writer.writeRest();
    for await (const piece of readPieces(this.#file, this.#writer.writtenBytes)) await show(piece);
  }

  /** Discards the content. */
  async restart(): Promise<void> {
    await this.#writer.settle();
    if (this.#leftBytes > 0 || this.#writer.writtenBytes > 0) await this.#file.truncate(0);
    this.#writer = this.#writeFrom(0);
    this.#leftBytes = 0;
  }

  /** Appends a piece and takes ownership of it. Returns a promise only if the disk is behind: the caller waits for it. */
  write(piece: Uint8Array): Promise<void> | undefined {
    return this.#writer.write(piece);
  }

  /** Writes the rest and closes the file, so that a later run can resume it. */
  async keep(): Promise<void> {
    try {
      await this.#writer.writeRest();
    } finally {
      await this.#close();
    }
  }

  /** Closes and deletes the file. */
  async discard(): Promise<void> {
    // A failed write no longer matters.
    await this.#writer.settle().catch(() => undefined);
    await this.#close();
    await rm(this.#path, { force: true });
  }

  /** Flushes, closes and renames the file. The caller flushes the folder. */
  async finish(finalPath: string): Promise<void> {
    try {
      await this.#writer.writeRest();
      const { writtenBytes } = this.#writer;
      if (this.#leftBytes > writtenBytes) await this.#file.truncate(writtenBytes);
      await this.#writer.finish();
    } finally {
      await this.#close();
    }
    await rename(this.#path, finalPath);
  }

  /** Starts a writer at a position. Its errors name the file. */
  #writeFrom(position: number): BatchWriter {
    const fail = (error: unknown): never => {
      throw withPath(error, this.#path);
    };
    const flush = () => flushData(this.#file).catch(fail);
    const file: WritableFile = {
      writev: (pieces, at) => this.#file.writev(pieces, at).catch(fail),
      sync: flush,
      datasync: flush,
    };
    return new BatchWriter(file, BUDGET, position);
  }

  async #close(): Promise<void> {
    this.#leaveBudget();
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
