import type { SuspendableWriter } from "../../domain/ports.ts";
import type { Claim, Ending } from "./claims.ts";
import { soundName } from "./object-names.ts";
import { OnePut, PART_BYTES, PartedPut, type Sink } from "./puts.ts";
import type { S3Bucket } from "./s3-bucket.ts";
import type { UploadMemory, UploadShare } from "./upload-memory.ts";

/** Number of waiting bytes that is exceeded only while the service is slower than the sender. */
const MOST_WAITING_BYTES = 1024 * 1024;

export interface WriterDeps {
  readonly bucket: S3Bucket;
  readonly claim: Claim;
  readonly memory: UploadMemory;
  readonly ending: Ending;
}

/**
 * The writer of a sound that comes in one go. Its bytes are sent as they arrive. The last ones are held back until
 * the sound is finished, so that a refused sound never becomes an object.
 */
export class WholeWriter implements SuspendableWriter {
  readonly #parts: WriterDeps;
  readonly #sink: Sink;
  readonly #share: UploadShare;
  readonly #memory: UploadMemory;
  #receivedBytes = 0;
  #last: Uint8Array | undefined;
  #failure: { readonly error: unknown } | undefined;

  constructor(parts: WriterDeps) {
    this.#parts = parts;
    const { bucket, claim, memory } = parts;
    this.#memory = memory;
    this.#share = memory.enter(() => {});
    const options = {
      bucket,
      name: soundName(claim.key),
      announced: claim.announced,
      onTaken: (bytes: number) => this.#share.give(bytes),
      onFailed: (error: unknown) => this.#fail(error),
    };
    const isSmall = claim.announced.bytes <= PART_BYTES;
    this.#sink = isSmall ? new OnePut(options) : new PartedPut(options);
  }

  write(piece: Uint8Array): Promise<void> | undefined {
    if (this.#failure !== undefined) return Promise.reject(this.#failure.error);
    const { bytes } = this.#parts.claim.announced;
    this.#receivedBytes += piece.byteLength;
    if (this.#receivedBytes > bytes) return Promise.reject(new Error("More bytes than announced."));
    if (piece.byteLength === 0) return undefined;
    this.#share.take(piece.byteLength);
    if (this.#receivedBytes === bytes) {
      this.#last = piece;
      return undefined;
    }
    const busy = this.#sink.offer(piece);
    const full = this.#share.room(Math.min(MOST_WAITING_BYTES, this.#memory.shareBytes));
    return busy === undefined && full === undefined ? undefined : this.#whenReady(busy, full);
  }

  async finish(): Promise<void> {
    const { ending, claim } = this.#parts;
    try {
      if (this.#failure !== undefined) throw this.#failure.error;
      if (this.#receivedBytes !== claim.announced.bytes) {
        throw new Error("Fewer bytes than announced.");
      }
      if (this.#last !== undefined) await this.#sink.offer(this.#last);
      await this.#sink.finish();
      await ending.confirm(claim);
    } finally {
      this.#end();
    }
  }

  /** Keeps nothing: a sound that comes in one go is never continued. */
  async suspend(): Promise<number> {
    await this.discard();
    return 0;
  }

  async discard(): Promise<void> {
    const { ending, claim } = this.#parts;
    try {
      await this.#sink.cancel();
      await ending.drop(claim.key);
    } finally {
      this.#end();
    }
  }

  /** Waits for all promises. A failure ends the waiting, too. */
  async #whenReady(...waits: readonly (Promise<void> | undefined)[]): Promise<void> {
    await Promise.all(waits.filter((wait) => wait !== undefined));
    if (this.#failure !== undefined) throw this.#failure.error;
  }

  #fail(error: unknown): void {
    this.#failure ??= { error };
    // Waiting for room would never end.
    this.#share.leave();
  }

  #end(): void {
    this.#share.leave();
    this.#parts.ending.end(this.#parts.claim.key);
  }
}
