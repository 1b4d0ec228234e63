import type { AnnouncedBytes } from "../../domain/ports.ts";
import { makeCertain, metadataOf } from "./look-up.ts";
import type { S3Bucket } from "./s3-bucket.ts";
import { SentBody } from "./sent-body.ts";
import type { Sink } from "./sink.ts";

interface OnePutOptions {
  readonly bucket: S3Bucket;
  readonly name: string;
  readonly announced: AnnouncedBytes;
  readonly onTaken: (bytes: number) => void;
  readonly onFailed: (error: unknown) => void;
}

/** One call with the announced length and checksum. Without the last byte the service makes no object of it. */
export class OnePut implements Sink {
  readonly #options: OnePutOptions;
  #sending: { readonly body: SentBody; readonly answer: Promise<void> } | undefined;
  readonly #cancelled = new AbortController();

  constructor(options: OnePutOptions) {
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
