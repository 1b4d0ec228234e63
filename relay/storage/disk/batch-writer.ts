import type { FileHandle } from "node:fs/promises";
import { freeBytes } from "../../../core/wav/free-bytes.ts";
import { withoutFirstBytes } from "../../../core/wav/without-first-bytes.ts";
import type { WriteBudget } from "./write-budget.ts";

/** A flush every so often keeps the last one short, so that other calls do not wait behind it. */
const FLUSH_EVERY_BYTES = 8 * 1024 * 1024;
/** What one `writev` takes. Tiny pieces weigh far more than their bytes, so they may not pile up. */
const MAX_PIECES = 1024;

/**
 * Writes pieces to a file in batches: while one batch is being written the next one collects, so that
 * receiving, hashing and the disk work at the same time. Pieces are not copied, and emptied once written.
 */
export class BatchWriter {
  readonly #file: FileHandle;
  readonly #budget: WriteBudget;
  #batch: Uint8Array[] = [];
  #batchBytes = 0;
  #unflushedBytes = 0;
  #writing: Promise<void> | undefined;
  #flushing: Promise<void> | undefined;
  #trouble: unknown;

  constructor(file: FileHandle, budget: WriteBudget) {
    this.#file = file;
    this.#budget = budget;
  }

  /**
   * Takes a piece; gives a promise only where the disk is behind and the sender has to wait, or where the
   * disk refused an earlier piece: then it rejects.
   */
  write(piece: Uint8Array): Promise<void> | undefined {
    if (this.#trouble !== undefined) return Promise.reject(this.#trouble);
    this.#batch.push(piece);
    this.#batchBytes += piece.byteLength;
    if (this.#batchBytes < this.#budget.batchBytes && this.#batch.length < MAX_PIECES) {
      return undefined;
    }
    if (this.#writing !== undefined) return this.#writing.then(() => this.#startWriting());
    this.#startWriting();
    return undefined;
  }

  /** Writes what is left and flushes the file to the disk. @throws what the disk refused */
  async finish(): Promise<void> {
    await this.settle();
    this.#startWriting();
    await this.settle();
    await this.#file.sync();
  }

  /** Waits until nothing is being written. @throws what the disk refused */
  async settle(): Promise<void> {
    while (this.#writing !== undefined || this.#flushing !== undefined) {
      await this.#writing;
      await this.#flushing;
    }
    if (this.#trouble !== undefined) throw this.#trouble;
  }

  /** Writes what has collected; nothing where another has begun to. */
  #startWriting(): void {
    if (this.#trouble !== undefined) throw this.#trouble;
    if (this.#writing !== undefined || this.#batch.length === 0) return;
    const batch = this.#batch;
    this.#unflushedBytes += this.#batchBytes;
    this.#batch = [];
    this.#batchBytes = 0;
    this.#writing = writeAll(this.#file, batch).then(
      () => {
        this.#writing = undefined;
        this.#flushNowAndThen();
      },
      (error: unknown) => {
        this.#writing = undefined;
        this.#trouble ??= error;
      },
    );
  }

  #flushNowAndThen(): void {
    if (this.#flushing !== undefined || this.#unflushedBytes < FLUSH_EVERY_BYTES) return;
    this.#unflushedBytes = 0;
    this.#flushing = this.#file.datasync().then(
      () => {
        this.#flushing = undefined;
      },
      (error: unknown) => {
        this.#flushing = undefined;
        this.#trouble ??= error;
      },
    );
  }
}

/** `writev` may write less than it was given; goes on until all is written. */
async function writeAll(file: FileHandle, batch: readonly Uint8Array[]): Promise<void> {
  let rest = batch;
  while (rest.length > 0) {
    const { bytesWritten } = await file.writev(rest);
    rest = withoutFirstBytes(rest, bytesWritten);
  }
  for (const piece of batch) freeBytes(piece);
}
