import type { Readable } from "node:stream";
import {
  AbortMultipartUploadCommand,
  type CompletedPart,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  ListMultipartUploadsCommand,
  UploadPartCommand,
  UploadPartCopyCommand,
} from "@aws-sdk/client-s3";
import { StoreTroubleError } from "../../domain/ports.ts";
import type { Pieces, S3Calls } from "./s3-calls.ts";

export const CONTENT_TYPE = "audio/wav";

/** A multipart upload, as its calls name it. */
interface Upload {
  readonly Bucket: string;
  readonly Key: string;
  readonly UploadId: string;
}

/** The multipart uploads of one bucket. Nobody finds an object until its upload is completed. */
export class S3Uploads {
  readonly #calls: S3Calls;

  constructor(calls: S3Calls) {
    this.#calls = calls;
  }

  async start(name: string, metadata: Record<string, string>): Promise<Upload> {
    const object = { Bucket: this.#calls.bucket, Key: name };
    const content = { ContentType: CONTENT_TYPE, Metadata: metadata };
    const command = new CreateMultipartUploadCommand({ ...object, ...content });
    const { UploadId } = await this.#calls.call(command);
    if (UploadId === undefined) throw this.#calls.strange("no upload id");
    return { ...object, UploadId };
  }

  async putPart(
    upload: Upload,
    PartNumber: number,
    { bytes, read }: { readonly bytes: number; readonly read: () => Pieces },
  ): Promise<CompletedPart> {
    const part = { ...upload, PartNumber, ContentLength: bytes };
    const commandOf = (Body: Readable) => new UploadPartCommand({ ...part, Body });
    const { ETag } = await this.#calls.send(read, commandOf);
    return { PartNumber, ETag };
  }

  /** Makes a part of an object. */
  async copyPart(upload: Upload, PartNumber: number, name: string): Promise<CompletedPart> {
    const CopySource = `${this.#calls.bucket}/${name}`;
    const command = new UploadPartCopyCommand({ ...upload, PartNumber, CopySource });
    const { CopyPartResult } = await this.#calls.call(command, this.#calls.patience.copyMs);
    return { PartNumber, ETag: CopyPartResult?.ETag };
  }

  async complete(upload: Upload, parts: readonly CompletedPart[]): Promise<void> {
    const MultipartUpload = { Parts: [...parts] };
    const command = new CompleteMultipartUploadCommand({ ...upload, MultipartUpload });
    await this.#calls.call(command, this.#calls.patience.copyMs);
  }

  /**
   * Aborts the uploads of these objects. Tries all.
   * @throws the first failure
   * @param prefix the common prefix of the names
   */
  async abort(prefix: string, names: ReadonlySet<string>): Promise<void> {
    const errors: unknown[] = [];
    for await (const upload of this.#list(prefix)) {
      if (!names.has(upload.Key)) continue;
      try {
        await this.#calls.call(new AbortMultipartUploadCommand(upload));
      } catch (error) {
        const isGone = error instanceof StoreTroubleError && error.code === "NoSuchUpload";
        if (!isGone) errors.push(error);
      }
    }
    if (errors.length > 0) throw errors[0];
  }

  async *#list(Prefix: string): AsyncGenerator<Upload> {
    const { bucket: Bucket } = this.#calls;
    for (let after = {}, isMore = true; isMore;) {
      const command = new ListMultipartUploadsCommand({ Bucket, Prefix, ...after });
      const page = await this.#calls.call(command);
      for (const { Key, UploadId } of page.Uploads ?? []) {
        if (Key !== undefined && UploadId !== undefined) yield { Bucket, Key, UploadId };
      }
      after = { KeyMarker: page.NextKeyMarker, UploadIdMarker: page.NextUploadIdMarker };
      isMore = page.IsTruncated === true;
    }
  }
}
