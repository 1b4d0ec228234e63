import type { SuspendableWriter } from "../../domain/ports.ts";
import type { Claim } from "./claims.ts";
import { segmentName } from "./object-names.ts";
import { hashOf, type S3Bucket } from "./s3-bucket.ts";
import { makeSound, type Segment, SEGMENT_BYTES, sizeOf, storedSegment } from "./segments.ts";
import type { UploadMemory } from "./upload-memory.ts";

interface SoundWriterOptions {
  readonly bucket: S3Bucket;
  readonly claim: Claim;
  readonly memory: UploadMemory;
  /** The stored bytes of a resumed sound. */
  readonly segments: readonly Segment[];
  readonly onEnd: () => void;
}

/**
 * The writer of a sound. It collects bytes in memory and stores them as segments of 8 MiB, or smaller ones when memory
 * is short. The last bytes wait until the sound is finished, and a sound of 8 MiB at most needs no segment. A killed
 * process loses what it was collecting and sending.
 */
export class SoundWriter implements SuspendableWriter {
  readonly #options: SoundWriterOptions;
  readonly #segments: Segment[];
  #storedBytes: number;
  #collected: Uint8Array[] = [];
  #collectedBytes = 0;
  #sending: Promise<void> | undefined;
  #failure: { readonly error: unknown } | undefined;
  #hasEnded = false;

  constructor(options: SoundWriterOptions) {
    this.#options = options;
    this.#segments = [...options.segments];
    this.#storedBytes = sizeOf(options.segments);
    options.memory.enter(this);
  }

  get sendableBytes(): number {
    const isHeld = this.#sending !== undefined || this.#failure !== undefined || this.#hasEnded;
    return isHeld || this.#isWhole ? 0 : this.#collectedBytes;
  }

  send(): void {
    if (this.sendableBytes === 0) return;
    this.#sending = this.#store()
      .catch((error: unknown) => void (this.#failure = { error }))
      .finally(() => {
        this.#sending = undefined;
        this.#options.memory.wake();
        if (this.#collectedBytes >= SEGMENT_BYTES) this.send();
      });
  }

  write(piece: Uint8Array): Promise<void> | undefined {
    if (this.#failure !== undefined) return Promise.reject(this.#failure.error);
    this.#collected.push(piece);
    this.#collectedBytes += piece.byteLength;
    if (this.#collectedBytes >= SEGMENT_BYTES) this.send();
    this.#options.memory.take(piece.byteLength);
    return this.#mustWait ? this.#whenRoom() : undefined;
  }

  async finish(): Promise<void> {
    const { bucket, claim } = this.#options;
    await this.#endAfter(async () => {
      const rest = { bytes: this.#collectedBytes, read: () => this.#collected };
      if (this.#storedBytes + rest.bytes !== claim.announced.bytes) {
        throw new Error("Other bytes than announced.");
      }
      const segments = rest.bytes > 0 ? [...this.#segments, rest] : this.#segments;
      try {
        await makeSound(bucket, claim, segments);
      } catch (error) {
        // The received bytes may still be continued.
        await this.#store().catch(() => undefined);
        throw error;
      }
      await claim.confirm(this.#segments.flatMap(({ name = [] }) => name));
    });
  }

  async suspend(): Promise<number> {
    return this.#endAfter(async () => {
      await this.#store();
      await this.#options.claim.require();
      return this.#storedBytes;
    });
  }

  async discard(): Promise<void> {
    this.#hasEnded = true;
    try {
      await this.#sending;
      await this.#options.claim.drop();
    } finally {
      this.#end();
    }
  }

  /** True if all bytes have arrived: what is still in memory is about to become part of the sound. */
  get #isWhole(): boolean {
    return this.#storedBytes + this.#collectedBytes >= this.#options.claim.announced.bytes;
  }

  get #mustWait(): boolean {
    if (this.#failure !== undefined || this.#hasEnded || this.#isWhole) return false;
    const isBehind = this.#sending !== undefined && this.#collectedBytes >= SEGMENT_BYTES;
    return isBehind || this.#options.memory.isFull;
  }

  async #whenRoom(): Promise<void> {
    while (this.#mustWait) await this.#options.memory.change();
    if (this.#failure !== undefined) throw this.#failure.error;
  }

  /** Stores what is collected as the next segment. Collects it again if that fails. */
  async #store(): Promise<void> {
    const { bucket, claim, memory } = this.#options;
    const [pieces, bytes] = [this.#collected, this.#collectedBytes];
    if (bytes === 0) return;
    this.#collected = [];
    this.#collectedBytes = 0;
    const name = segmentName(claim.key, claim.epoch, this.#storedBytes, bytes);
    try {
      await bucket.put(name, { bytes, sha256: await hashOf(pieces) }, () => pieces);
    } catch (error) {
      this.#collected = [...pieces, ...this.#collected];
      this.#collectedBytes += bytes;
      throw error;
    }
    this.#segments.push(storedSegment(bucket, name, bytes));
    this.#storedBytes += bytes;
    memory.give(bytes);
  }

  /** Ends the writer even if the call fails. The stored bytes then stay until the sound is resumed or deleted. */
  async #endAfter<Result>(act: () => Promise<Result>): Promise<Result> {
    if (this.#hasEnded) throw new Error(`The writer of ${this.#options.claim.key} has ended.`);
    this.#hasEnded = true;
    try {
      await this.#sending;
      return await act();
    } finally {
      this.#end();
    }
  }

  #end(): void {
    this.#options.memory.leave(this, this.#collectedBytes);
    this.#collected = [];
    this.#collectedBytes = 0;
    this.#options.onEnd();
  }
}
