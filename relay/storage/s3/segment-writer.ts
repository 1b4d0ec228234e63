import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import type { SuspendableWriter } from "../../domain/ports.ts";
import { makeCertain, metadataOf } from "./look-up.ts";
import { segmentName, soundName } from "./object-names.ts";
import { PART_BYTES } from "./puts.ts";
import { joinSegments, LEAST_PART_BYTES, type Segment, sizeOf } from "./segments.ts";
import type { UploadShare } from "./upload-memory.ts";
import type { WriterDeps } from "./whole-writer.ts";

const MOST_TRIES = 3;

/** Received bytes that aren't a segment yet. */
interface Batch {
  readonly pieces: Uint8Array[];
  bytes: number;
}

/**
 * The writer of a sound that may be suspended. The received bytes are stored in segments of 8 MiB, or smaller ones
 * while many upload. A segment is sent when it is complete, so that a failed one can be sent again; a killed process
 * loses the segments that it was collecting and sending.
 */
export class SegmentWriter implements SuspendableWriter {
  readonly #parts: WriterDeps;
  readonly #share: UploadShare;
  readonly #segments: Segment[];
  #batch: Batch = { pieces: [], bytes: 0 };
  #sending: Promise<void> | undefined;
  /** The batch that could not be sent. It is tried once more when the writer ends. */
  #unsent: Batch | undefined;
  #isEnding = false;
  #failure: { readonly error: unknown } | undefined;

  constructor(parts: WriterDeps, segments: readonly Segment[] = []) {
    this.#parts = parts;
    this.#segments = [...segments];
    this.#share = parts.memory.enter(() => this.#sendIfLarge());
  }

  write(piece: Uint8Array): Promise<void> | undefined {
    if (this.#failure !== undefined) return Promise.reject(this.#failure.error);
    this.#share.take(piece.byteLength);
    this.#batch.pieces.push(piece);
    this.#batch.bytes += piece.byteLength;
    this.#sendIfLarge();
    const most = this.#mostBytes;
    const full = this.#share.room(2 * most);
    return this.#batch.bytes < most && full === undefined ? undefined : this.#whenRoom(full);
  }

  async finish(): Promise<void> {
    await this.#endAfter(async () => {
      try {
        await this.#makeObject();
      } catch (error) {
        // The received bytes may still be continued.
        await this.#sendRest().catch(() => undefined);
        throw error;
      }
      await this.#parts.ending.confirm(this.#parts.claim, this.#segmentNames);
    });
  }

  async suspend(): Promise<number> {
    return this.#endAfter(async () => {
      await this.#settle();
      await this.#sendRest();
      await this.#parts.ending.require(this.#parts.claim);
      return this.#storedBytes;
    });
  }

  async discard(): Promise<void> {
    const { ending, claim } = this.#parts;
    this.#isEnding = true;
    try {
      await this.#settle();
      await ending.drop(claim.key);
    } finally {
      this.#end();
    }
  }

  get #segmentNames(): readonly string[] {
    return this.#segments.map(({ name }) => name);
  }

  get #storedBytes(): number {
    return sizeOf(this.#segments);
  }

  get #mostBytes(): number {
    return Math.min(PART_BYTES, this.#parts.memory.shareBytes);
  }

  /** Sends a batch that can be copied later if nothing is being sent, and any batch that fills its share. */
  #sendIfLarge(): void {
    const isSmall = this.#parts.claim.announced.bytes <= PART_BYTES;
    const enough = isSmall ? this.#mostBytes : Math.min(LEAST_PART_BYTES, this.#mostBytes);
    if (this.#batch.bytes >= enough && !this.#isWhole) this.#startSending();
  }

  #startSending(): void {
    const isBusy = this.#sending !== undefined || this.#isEnding;
    if (isBusy || this.#failure !== undefined || this.#batch.bytes === 0) return;
    const batch = this.#batch;
    this.#batch = { pieces: [], bytes: 0 };
    this.#sending = this.#send(batch).then(
      () => {
        this.#sending = undefined;
        this.#sendIfLarge();
      },
      (error: unknown) => {
        this.#sending = undefined;
        this.#unsent = batch;
        this.#failure ??= { error };
        this.#share.wake();
      },
    );
  }

  /** True if a small sound has arrived whole. It needs no segment, because it is about to be finished. */
  get #isWhole(): boolean {
    const { announced } = this.#parts.claim;
    return this.#segments.length === 0 && this.#batch.bytes === announced.bytes;
  }

  async #whenRoom(full: Promise<void> | undefined): Promise<void> {
    if (!this.#isWhole) this.#startSending();
    await this.#sending;
    await full;
    if (this.#failure !== undefined) throw this.#failure.error;
  }

  async #settle(): Promise<void> {
    while (this.#sending !== undefined) await this.#sending;
  }

  async #makeObject(): Promise<void> {
    const { claim, bucket } = this.#parts;
    const { key, announced } = claim;
    await this.#settle();
    if (this.#failure !== undefined) throw this.#failure.error;
    const total = this.#storedBytes + this.#batch.bytes;
    if (total !== announced.bytes) throw new Error("Other bytes than announced.");
    if (this.#segments.length === 0) return this.#putAtOnce();
    await this.#sendRest();
    await joinSegments({ bucket, key, announced, segments: this.#segments });
  }

  async #sendRest(): Promise<void> {
    const unsent = this.#unsent;
    if (unsent !== undefined) await this.#send(unsent);
    this.#unsent = undefined;
    if (this.#batch.bytes > 0) await this.#send(this.#batch);
    this.#batch = { pieces: [], bytes: 0 };
  }

  async #send(batch: Batch): Promise<void> {
    const { bucket, claim } = this.#parts;
    const start = this.#storedBytes;
    const name = segmentName(claim.key, start, claim.epoch);
    const sha256 = hashOf(batch.pieces);
    for (let tries = 1; ; tries += 1) {
      try {
        const body = Readable.from(batch.pieces, { objectMode: false });
        const signal = AbortSignal.timeout(bucket.patience.copyMs);
        await bucket.put(name, { body, bytes: batch.bytes, sha256, signal });
        break;
      } catch (error) {
        if (tries === MOST_TRIES) throw error;
      }
    }
    this.#segments.push({ name, start, bytes: batch.bytes });
    this.#share.give(batch.bytes);
  }

  async #putAtOnce(): Promise<void> {
    const { bucket, claim } = this.#parts;
    const { announced } = claim;
    const { bytes, sha256 } = announced;
    const name = soundName(claim.key);
    await makeCertain(bucket, name, announced, () =>
      bucket.put(name, {
        body: Readable.from(this.#batch.pieces, { objectMode: false }),
        bytes,
        sha256,
        metadata: metadataOf(announced),
        signal: AbortSignal.timeout(bucket.patience.copyMs),
      }),
    );
  }

  /** Ends the writer even if the call fails. The stored bytes then stay until the sound is resumed or deleted. */
  async #endAfter<Result>(act: () => Promise<Result>): Promise<Result> {
    if (this.#isEnding) throw new Error(`The writer of ${this.#parts.claim.key} has ended.`);
    this.#isEnding = true;
    try {
      return await act();
    } finally {
      this.#end();
    }
  }

  #end(): void {
    this.#share.leave();
    this.#parts.ending.end(this.#parts.claim.key);
  }
}

function hashOf(pieces: readonly Uint8Array[]): string {
  const hash = createHash("sha256");
  for (const piece of pieces) hash.update(piece);
  return hash.digest("hex");
}
