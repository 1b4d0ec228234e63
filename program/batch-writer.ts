import { freeBytes, withoutFirstBytes } from "../core/audio/byte-pieces.ts";

/** Bytes that all writers of a budget together may hold in memory before they are written. */
const BUDGET_BYTES = 24 * 1024 * 1024;
const LARGEST_BATCH_BYTES = 1024 * 1024;
const SMALLEST_BATCH_BYTES = 64 * 1024;

/** Shares memory among writers: few write in batches of 1 MiB, many in smaller ones, down to 64 KiB. */
export class WriteBudget {
  /** Smallest batch for an idle disk. A killed process loses no more than that and the write that is running. */
  readonly eagerBytes: number;
  #writers = 0;

  constructor(eagerBytes = 256 * 1024) {
    this.eagerBytes = eagerBytes;
  }

  /** Number of bytes that a writer collects. It holds twice as many: one batch fills while another is written. */
  get batchBytes(): number {
    const share = BUDGET_BYTES / (2 * Math.max(1, this.#writers));
    return Math.min(LARGEST_BATCH_BYTES, Math.max(SMALLEST_BATCH_BYTES, share));
  }

  /** Counts one writer until the returned function is called, which may be called again. */
  enter(): () => void {
    this.#writers += 1;
    let isCounted = true;
    return () => {
      if (isCounted) this.#writers -= 1;
      isCounted = false;
    };
  }
}

/** The calls that write a file. */
export interface WritableFile {
  /** Writes pieces at a position. May write less than it was given. */
  writev(
    pieces: readonly Uint8Array[],
    position: number,
  ): Promise<{ readonly bytesWritten: number }>;
  /** Makes what is written durable. */
  sync(): Promise<void>;
  datasync(): Promise<void>;
}

/** Number of bytes between flushes. It keeps the last flush short, so that other calls don't wait for it. */
const FLUSH_EVERY_BYTES = 8 * 1024 * 1024;
/** The limit of one `writev`. Tiny pieces cost far more memory than their bytes, so they must not pile up. */
const MAX_PIECES = 1024;

/**
 * Writes pieces to a file in batches: the next batch collects while one is written, so that receiving,
 * hashing and disk writes overlap. Pieces are not copied; their buffers are detached once written.
 */
export class BatchWriter {
  readonly #file: WritableFile;
  readonly #budget: WriteBudget;
  #writtenBytes: number;
  #batch: Uint8Array[] = [];
  #batchBytes = 0;
  #unflushedBytes = 0;
  #writing: Promise<void> | undefined;
  #flushing: Promise<void> | undefined;
  #error: unknown;

  /** Starts a writer whose first piece goes to `position`, in bytes from the file's start. */
  constructor(file: WritableFile, budget: WriteBudget, position = 0) {
    this.#file = file;
    this.#budget = budget;
    this.#writtenBytes = position;
  }

  /** Number of bytes from the file's start to the end of the last written batch. */
  get writtenBytes(): number {
    return this.#writtenBytes;
  }

  /**
   * Takes a piece. Returns a promise only if the disk is behind and the sender must wait (backpressure), or
   * if an earlier write failed: then it rejects.
   */
  write(piece: Uint8Array): Promise<void> | undefined {
    if (this.#error !== undefined) return Promise.reject(this.#error);
    this.#batch.push(piece);
    this.#batchBytes += piece.byteLength;
    if (this.#batchBytes < this.#budget.batchBytes && this.#batch.length < MAX_PIECES) {
      this.#startEagerly();
      return undefined;
    }
    if (this.#writing !== undefined) return this.#writing.then(() => this.#startWriting());
    this.#startWriting();
    return undefined;
  }

  /** Writes the rest. @throws the error of a failed write */
  async writeRest(): Promise<void> {
    await this.settle();
    this.#startWriting();
    await this.settle();
  }

  /** Writes the rest and flushes the file to disk. @throws the error of a failed write */
  async finish(): Promise<void> {
    await this.writeRest();
    await this.#file.sync();
  }

  /** Waits until no write is running. @throws the error of a failed write */
  async settle(): Promise<void> {
    while (this.#writing !== undefined || this.#flushing !== undefined) {
      await this.#writing;
      await this.#flushing;
    }
    if (this.#error !== undefined) throw this.#error;
  }

  /** Writes the collected batch; does nothing if a write is running. */
  #startWriting(): void {
    if (this.#error !== undefined) throw this.#error;
    if (this.#writing !== undefined || this.#batch.length === 0) return;
    const batch = this.#batch;
    this.#unflushedBytes += this.#batchBytes;
    this.#batch = [];
    this.#batchBytes = 0;
    this.#writing = this.#noteError(async () => {
      this.#writtenBytes = await writeAll(this.#file, batch, this.#writtenBytes);
    }).then(() => {
      this.#writing = undefined;
      if (this.#error !== undefined) return;
      this.#flushNowAndThen();
      this.#startEagerly();
    });
  }

  #startEagerly(): void {
    if (this.#error === undefined && this.#batchBytes >= this.#budget.eagerBytes)
      this.#startWriting();
  }

  #flushNowAndThen(): void {
    if (this.#flushing !== undefined || this.#unflushedBytes < FLUSH_EVERY_BYTES) return;
    this.#unflushedBytes = 0;
    this.#flushing = this.#noteError(() => this.#file.datasync()).then(() => {
      this.#flushing = undefined;
    });
  }

  /** Acts, and keeps the first error for the next call of this writer. */
  async #noteError(act: () => Promise<void>): Promise<void> {
    await act().catch((error: unknown) => (this.#error ??= error));
  }
}

/** Writes all pieces, repeating short writes. Returns the position after the last byte. */
async function writeAll(
  file: WritableFile,
  batch: readonly Uint8Array[],
  start: number,
): Promise<number> {
  let position = start;
  let rest = batch;
  while (rest.length > 0) {
    const { bytesWritten } = await file.writev(rest, position);
    position += bytesWritten;
    rest = withoutFirstBytes(rest, bytesWritten);
  }
  for (const piece of batch) freeBytes(piece);
  return position;
}
