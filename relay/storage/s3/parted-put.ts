import type { AnnouncedBytes } from "../../domain/ports.ts";
import { makeCertain, metadataOf } from "./look-up.ts";
import type { S3Bucket } from "./s3-bucket.ts";
import type { PartedUpload, UploadedPart } from "./s3-uploads.ts";
import { SentBody } from "./sent-body.ts";
import type { Sink } from "./sink.ts";

/** The service takes ten thousand parts at most, and a sound has no more than two hundred of these MiB. */
export const PART_BYTES = 8 * 1024 * 1024;
/** So many parts may wait for their answers while the next one is sent. */
const UNANSWERED = 2;

interface PartedPutOptions {
  readonly bucket: S3Bucket;
  readonly name: string;
  readonly announced: AnnouncedBytes;
  readonly onTaken: (bytes: number) => void;
  readonly onFailed: (error: unknown) => void;
}

interface RunningPart {
  readonly body: SentBody;
  leftBytes: number;
}

/** A multipart upload whose parts are streamed. Until it is completed nobody finds the object. */
export class PartedPut implements Sink {
  readonly #options: PartedPutOptions;
  readonly #cancelled = new AbortController();
  readonly #answers: Promise<UploadedPart>[] = [];
  readonly #unanswered = new Set<Promise<unknown>>();
  #upload: Promise<PartedUpload> | undefined;
  #part: RunningPart | undefined;
  #startedBytes = 0;

  constructor(options: PartedPutOptions) {
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
