/** Number of bytes that all uploads together may hold in memory before the service has them. */
const POOL_BYTES = 64 * 1024 * 1024;
/** The part of them that may wait without being sent. */
const MOST_WAITING_BYTES = 48 * 1024 * 1024;

/** An upload that holds received bytes in memory. */
interface HoldingUpload {
  /** Number of bytes that it can send now. */
  readonly sendableBytes: number;
  /** Sends those. */
  send(): void;
}

/** Memory that all uploads of a process share. When many bytes wait, the upload with the most sends its own. */
export class UploadMemory {
  readonly #uploads = new Set<HoldingUpload>();
  #heldBytes = 0;
  #changed = Promise.withResolvers<void>();

  /** True if received bytes have to wait. */
  get isFull(): boolean {
    return this.#heldBytes > POOL_BYTES;
  }

  enter(upload: HoldingUpload): void {
    this.#uploads.add(upload);
  }

  /** Counts received bytes. */
  take(bytes: number): void {
    this.#heldBytes += bytes;
    if (this.#heldBytes <= MOST_WAITING_BYTES) return;
    let [waitingBytes, most]: [number, HoldingUpload | undefined] = [0, undefined];
    for (const each of this.#uploads) {
      waitingBytes += each.sendableBytes;
      if (each.sendableBytes > (most?.sendableBytes ?? 0)) most = each;
    }
    if (waitingBytes > MOST_WAITING_BYTES) most?.send();
  }

  /** Stops counting bytes. */
  give(bytes: number): void {
    this.#heldBytes -= bytes;
    this.wake();
  }

  /** Ends an upload, and stops counting its bytes. */
  leave(upload: HoldingUpload, heldBytes: number): void {
    this.#uploads.delete(upload);
    this.give(heldBytes);
  }

  /** Lets all uploads look again whether they may go on. */
  wake(): void {
    this.#changed.resolve();
    this.#changed = Promise.withResolvers();
  }

  /** Resolves at the next change. */
  async change(): Promise<void> {
    await this.#changed.promise;
  }
}
