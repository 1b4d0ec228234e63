import type { Readable } from "node:stream";
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  ListMultipartUploadsCommand,
  UploadPartCommand,
  UploadPartCopyCommand,
} from "@aws-sdk/client-s3";
import type { S3Calls } from "./s3-calls.ts";
import { s3CodeOf } from "./s3-trouble.ts";

export const CONTENT_TYPE = "audio/wav";

/** The bytes of an object that is being sent. */
export interface Sending {
  readonly body: Readable | string;
  readonly bytes: number;
  /** SHA-256 in lowercase hex; undefined if it isn't known yet. */
  readonly sha256?: string | undefined;
  readonly metadata?: Record<string, string> | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** A multipart upload. */
export interface PartedUpload {
  readonly name: string;
  readonly uploadId: string;
}

export interface UploadedPart {
  readonly PartNumber: number;
  readonly ETag: string;
}

/** The multipart uploads of one bucket. */
export class S3Uploads {
  readonly #calls: S3Calls;

  constructor(calls: S3Calls) {
    this.#calls = calls;
  }

  async start(name: string, metadata: Record<string, string>): Promise<PartedUpload> {
    const command = new CreateMultipartUploadCommand({
      Bucket: this.#calls.bucket,
      Key: name,
      ContentType: CONTENT_TYPE,
      Metadata: metadata,
    });
    const { UploadId } = await this.#calls.call((on) => this.#calls.client.send(command, on));
    if (UploadId === undefined) throw this.#calls.nothing("no upload id");
    return { name, uploadId: UploadId };
  }

  /** Sends a part. The caller limits the time. */
  async putPart(
    { name, uploadId }: PartedUpload,
    partNumber: number,
    { body, bytes, signal }: Sending,
  ): Promise<UploadedPart> {
    const command = new UploadPartCommand({
      Bucket: this.#calls.bucket,
      Key: name,
      UploadId: uploadId,
      PartNumber: partNumber,
      Body: body,
      ContentLength: bytes,
    });
    const { ETag } = await this.#calls.stream(
      (on) => this.#calls.streams.send(command, on),
      signal,
    );
    if (ETag === undefined) throw this.#calls.nothing("no ETag");
    return { PartNumber: partNumber, ETag };
  }

  async copyPart(
    { name, uploadId }: PartedUpload,
    partNumber: number,
    from: string,
  ): Promise<UploadedPart> {
    const command = new UploadPartCopyCommand({
      Bucket: this.#calls.bucket,
      Key: name,
      UploadId: uploadId,
      PartNumber: partNumber,
      CopySource: `${this.#calls.bucket}/${from}`,
    });
    const answer = await this.#calls.call(
      (on) => this.#calls.client.send(command, on),
      this.#calls.patience.copyMs,
    );
    const ETag = answer.CopyPartResult?.ETag;
    if (ETag === undefined) throw this.#calls.nothing("no ETag");
    return { PartNumber: partNumber, ETag };
  }

  async completeUpload(
    { name, uploadId }: PartedUpload,
    parts: readonly UploadedPart[],
  ): Promise<void> {
    const command = new CompleteMultipartUploadCommand({
      Bucket: this.#calls.bucket,
      Key: name,
      UploadId: uploadId,
      MultipartUpload: { Parts: [...parts] },
    });
    await this.#calls.call(
      (on) => this.#calls.client.send(command, on),
      this.#calls.patience.copyMs,
    );
  }

  /**
   * Aborts the multipart uploads of these objects. Tries all.
   * @throws the first failure
   * @param prefix the common prefix of the names
   */
  async abortUploads(prefix: string, names: ReadonlySet<string>): Promise<void> {
    const errors: unknown[] = [];
    for await (const { name, uploadId } of this.#uploads(prefix)) {
      if (!names.has(name)) continue;
      const command = new AbortMultipartUploadCommand({
        Bucket: this.#calls.bucket,
        Key: name,
        UploadId: uploadId,
      });
      try {
        await this.#calls.call((on) => this.#calls.client.send(command, on));
      } catch (error) {
        const cause = error instanceof Error ? error.cause : undefined;
        if (s3CodeOf(cause) !== "NoSuchUpload") errors.push(error);
      }
    }
    if (errors.length > 0) throw errors[0];
  }

  async *#uploads(prefix: string): AsyncGenerator<PartedUpload> {
    let after: { KeyMarker?: string | undefined; UploadIdMarker?: string | undefined } | undefined;
    do {
      const command = new ListMultipartUploadsCommand({
        Bucket: this.#calls.bucket,
        Prefix: prefix,
        ...after,
      });
      const page = await this.#calls.call((on) => this.#calls.client.send(command, on));
      for (const { Key, UploadId } of page.Uploads ?? []) {
        if (Key !== undefined && UploadId !== undefined) yield { name: Key, uploadId: UploadId };
      }
      const { NextKeyMarker, NextUploadIdMarker } = page;
      after =
        page.IsTruncated === true
          ? { KeyMarker: NextKeyMarker, UploadIdMarker: NextUploadIdMarker }
          : undefined;
    } while (after !== undefined);
  }
}
