import { Readable } from "node:stream";
import type { AnnouncedBytes } from "../../domain/ports.ts";
import { makeCertain, metadataOf } from "./look-up.ts";
import type { S3Bucket } from "./s3-bucket.ts";
import { late } from "./s3-calls.ts";
import type { PartedUpload, UploadedPart } from "./s3-uploads.ts";

/** The target of the bytes of a sound that comes whole, until the object is made. */
export interface Sink {
  /** Takes the next piece. Returns undefined if more may come; otherwise the promise resolves when it may. */
  offer(piece: Uint8Array): Promise<void> | undefined;
  /** Ends the object after the last piece. Resolves when the object is certain. */
  finish(): Promise<void>;
  /** Cancels every running call, and waits for their ends. */
  cancel(): Promise<void>;
}

interface PutOptions {
  readonly bucket: S3Bucket;
  readonly name: string;
  readonly announced: AnnouncedBytes;
  readonly onTaken: (bytes: number) => void;
  readonly onFailed: (error: unknown) => void;
}

/** One call with the announced length and checksum. Without the last byte the service doesn't make the object. */
export class OnePut implements Sink {
  readonly #options: PutOptions;
  #sending: { readonly body: SentBody; readonly answer: Promise<void> } | undefined;
  readonly #cancelled = new AbortController();

  constructor(options: PutOptions) {
    this.#options = options;
  }

  offer(piece: Uint8Array): undefined {
    this.#start().body.offer(piece);
  }

  async finish(): Promise<void> {
    const { bucket, name, announced } = this.#options;
    const { body, answer } = this.#start();
    body.over();
    await makeCertain(bucket, name, announced, () => answer);
  }

  async cancel(): Promise<void> {
    this.#cancelled.abort(new Error("The upload was given up."));
    await this.#sending?.answer.catch(() => undefined);
  }

  #start(): { readonly body: SentBody; readonly answer: Promise<void> } {
    if (this.#sending !== undefined) return this.#sending;
    const { bucket, name, announced, onTaken, onFailed } = this.#options;
    const body = new SentBody({ onTaken, idleMs: bucket.patience.idleMs });
    const signal = AbortSignal.any([body.silent.signal, this.#cancelled.signal]);
    const { bytes, sha256 } = announced;
    const answer = bucket
      .put(name, { body, bytes, sha256, metadata: metadataOf(announced), signal })
      .finally(() => body.settle());
    answer.catch(onFailed);
    this.#sending = { body, answer };
    return this.#sending;
  }
}

/** Size of a part. The service takes ten thousand parts at most, and a sound has no more than two hundred MiB. */
export const PART_BYTES = 8 * 1024 * 1024;
/** Number of parts that may wait for their answers while the next one is sent. */
const UNANSWERED = 2;

interface RunningPart {
  readonly body: SentBody;
  leftBytes: number;
}

/** A multipart upload whose parts are streamed. Nobody finds the object until the upload is completed. */
export class PartedPut implements Sink {
  readonly #options: PutOptions;
  readonly #cancelled = new AbortController();
  readonly #answers: Promise<UploadedPart>[] = [];
  readonly #unanswered = new Set<Promise<unknown>>();
  #upload: Promise<PartedUpload> | undefined;
  #part: RunningPart | undefined;
  #startedBytes = 0;

  constructor(options: PutOptions) {
    this.#options = options;
  }

  offer(piece: Uint8Array): Promise<void> | undefined {
    let rest = piece;
    while (rest.byteLength > 0) {
      const part = (this.#part ??= this.#startPart());
      const taken = rest.subarray(0, part.leftBytes);
      part.body.offer(taken);
      part.leftBytes -= taken.byteLength;
      rest = rest.subarray(taken.byteLength);
      if (part.leftBytes > 0) continue;
      part.body.over();
      this.#part = undefined;
    }
    return this.#unanswered.size > UNANSWERED ? this.#oneAnswered() : undefined;
  }

  async finish(): Promise<void> {
    const { bucket, name, announced } = this.#options;
    const parts = await Promise.all(this.#answers);
    const upload = await this.#start();
    await makeCertain(bucket, name, announced, () => bucket.uploads.completeUpload(upload, parts));
  }

  async cancel(): Promise<void> {
    this.#cancelled.abort(new Error("The upload was given up."));
    await Promise.allSettled([this.#upload, ...this.#answers]);
    const { bucket, name } = this.#options;
    if (this.#upload !== undefined) await bucket.uploads.abortUploads(name, new Set([name]));
  }

  #start(): Promise<PartedUpload> {
    const { bucket, name, announced, onFailed } = this.#options;
    if (this.#upload === undefined) {
      this.#upload = bucket.uploads.start(name, metadataOf(announced));
      this.#upload.catch(onFailed);
    }
    return this.#upload;
  }

  #startPart(): RunningPart {
    const { bucket, announced, onTaken, onFailed } = this.#options;
    const body = new SentBody({ onTaken, idleMs: bucket.patience.idleMs });
    const signal = AbortSignal.any([body.silent.signal, this.#cancelled.signal]);
    const bytes = Math.min(PART_BYTES, announced.bytes - this.#startedBytes);
    this.#startedBytes += bytes;
    const partNumber = this.#answers.length + 1;
    const answer = this.#start()
      .then((upload) => bucket.uploads.putPart(upload, partNumber, { body, bytes, signal }))
      .finally(() => body.settle());
    answer.catch(onFailed);
    this.#answers.push(answer);
    const over: Promise<void> = answer.then(ignore, ignore).then(() => {
      this.#unanswered.delete(over);
    });
    this.#unanswered.add(over);
    return { body, leftBytes: bytes };
  }

  async #oneAnswered(): Promise<void> {
    while (this.#unanswered.size > UNANSWERED) await Promise.race(this.#unanswered);
  }
}

function ignore(): void {}

const BUFFER_BYTES = 64 * 1024;

interface SentBodyOptions {
  /** Called when bytes are on their way. */
  readonly onTaken: (bytes: number) => void;
  /** Time after which a call is given up whose bytes aren't taken, or that isn't answered. */
  readonly idleMs: number;
}

/** The body of a call, whose pieces arrive one by one. */
class SentBody extends Readable {
  /** Aborts when the service is silent, with the reason. */
  readonly silent = new AbortController();
  readonly #onTaken: (bytes: number) => void;
  readonly #idleMs: number;
  #pieces: Uint8Array[] = [];
  #isAsked = false;
  #isOver = false;
  #timer: NodeJS.Timeout | undefined;

  constructor({ onTaken, idleMs }: SentBodyOptions) {
    super({ highWaterMark: BUFFER_BYTES });
    this.#onTaken = onTaken;
    this.#idleMs = idleMs;
  }

  offer(piece: Uint8Array): void {
    if (piece.byteLength === 0 || this.destroyed) return;
    this.#pieces.push(piece);
    this.#watch();
    if (this.#isAsked) this._read();
  }

  /** Ends the pieces. The answer is due from now on. */
  over(): void {
    this.#isOver = true;
    this.#watch();
    if (this.#isAsked) this._read();
  }

  /** Ends the body after the call has ended, with or without success. */
  settle(): void {
    clearTimeout(this.#timer);
    this.#pieces = [];
    this.destroy();
  }

  override _read(): void {
    this.#isAsked = false;
    const piece = this.#pieces.shift();
    if (piece !== undefined) {
      this.push(piece);
      this.#watch();
      this.#onTaken(piece.byteLength);
    } else if (this.#isOver) {
      this.push(null);
    } else {
      this.#isAsked = true;
      clearTimeout(this.#timer);
    }
  }

  #watch(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.silent.abort(late("An answer")), this.#idleMs);
  }
}
