import type { Readable } from "node:stream";
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CopyObjectCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  type S3Client,
  UploadPartCommand,
  UploadPartCopyCommand,
} from "@aws-sdk/client-s3";
import { StoreTroubleError } from "../../domain/ports.ts";
import { tryEach } from "../disk/try-each.ts";
import { signingBody, withMd5 } from "./request-headers.ts";
import { makeClients, type S3Address, type S3Clients, type S3Patience } from "./s3-clients.ts";
import { isMissing, namedS3, s3CodeOf, s3StatusOf } from "./s3-trouble.ts";

/** The service's limit of one call. */
const MOST_DELETED = 1000;
const CALLS_AT_ONCE = 16;
export const CONTENT_TYPE = "audio/wav";

/** An object as the service lists it. */
export interface ListedObject {
  readonly name: string;
  readonly bytes: number;
  /** By the service's clock, milliseconds since 1970. */
  readonly changedAt: number;
}

export interface FoundObject {
  readonly bytes: number;
  readonly metadata: Readonly<Record<string, string>>;
}

export interface OpenedObject {
  readonly bytes: number;
  readonly body: Readable;
}

/** An object's bytes on their way. */
export interface Sending {
  readonly body: Readable | string;
  readonly bytes: number;
  /** Lowercase hex; undefined if it isn't known yet. */
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

/** One bucket, whose calls reject with the port's errors. */
export class S3Bucket implements Disposable {
  readonly patience: S3Patience;
  readonly #bucket: string;
  readonly #where: string;
  readonly #clients: S3Clients;
  #deletesOneByOne = false;

  constructor(address: S3Address, patience: S3Patience) {
    this.patience = patience;
    this.#bucket = address.bucket;
    this.#where = `The bucket ${address.bucket} at ${address.endpoint ?? "AWS"}`;
    this.#clients = makeClients(address, patience);
  }

  /** For addresses that others may call. */
  get client(): S3Client {
    return this.#clients.calls;
  }

  get name(): string {
    return this.#bucket;
  }

  async head(name: string): Promise<FoundObject | undefined> {
    const command = new HeadObjectCommand({ Bucket: this.#bucket, Key: name });
    const found = await this.#unlessMissing(() =>
      this.#call((on) => this.client.send(command, on)),
    );
    return found && { bytes: found.ContentLength ?? 0, metadata: found.Metadata ?? {} };
  }

  /** Undefined if there is no such object, or if it ends before the range begins. */
  async get(
    name: string,
    range?: { readonly start: number; readonly end: number },
  ): Promise<OpenedObject | undefined> {
    const command = new GetObjectCommand({
      Bucket: this.#bucket,
      Key: name,
      ...(range && { Range: `bytes=${range.start}-${range.end}` }),
    });
    const giveUp = new AbortController();
    const timer = setTimeout(() => giveUp.abort(late("its answer")), this.patience.answerMs);
    try {
      const { streams } = this.#clients;
      const send = () => streams.send(command, { abortSignal: giveUp.signal });
      const got = await this.#unlessMissing(() => this.#named(send, giveUp.signal));
      if (got?.Body === undefined) return undefined;
      return { bytes: got.ContentLength ?? 0, body: got.Body as Readable };
    } catch (error) {
      if (s3StatusOf(error instanceof Error ? error.cause : error) === 416) return undefined;
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  /** An address that anybody can get the object from, for so long. */
  async addressOf(name: string, seconds: number): Promise<string> {
    const { getSignedUrl } = await import("@aws-sdk/s3-request-presigner");
    const command = new GetObjectCommand({ Bucket: this.#bucket, Key: name });
    return this.#named(() => getSignedUrl(this.client, command, { expiresIn: seconds }));
  }

  /** A short text; undefined if there is no such object. */
  async getText(name: string): Promise<string | undefined> {
    const command = new GetObjectCommand({ Bucket: this.#bucket, Key: name });
    return this.#unlessMissing(() =>
      this.#call(async (on) => (await this.client.send(command, on)).Body?.transformToString()),
    );
  }

  async putText(
    name: string,
    text: string,
    metadata: Record<string, string> = {},
    sha256?: string,
  ): Promise<void> {
    const command = new PutObjectCommand({
      Bucket: this.#bucket,
      Key: name,
      Body: text,
      Metadata: metadata,
    });
    if (sha256 !== undefined) signingBody(command, sha256);
    await this.#call((on) => this.client.send(command, on));
  }

  /** Its caller times it. */
  async put(name: string, { body, bytes, sha256, metadata, signal }: Sending): Promise<void> {
    const command = new PutObjectCommand({
      Bucket: this.#bucket,
      Key: name,
      Body: body,
      ContentLength: bytes,
      ContentType: CONTENT_TYPE,
      ...(metadata && { Metadata: metadata }),
    });
    if (sha256 !== undefined) signingBody(command, sha256);
    await this.#stream((on) => this.#clients.streams.send(command, on), signal);
  }

  async *list(prefix: string): AsyncGenerator<ListedObject> {
    let token: string | undefined;
    do {
      const command = new ListObjectsV2Command({
        Bucket: this.#bucket,
        Prefix: prefix,
        ContinuationToken: token,
      });
      const page = await this.#call((on) => this.client.send(command, on));
      for (const { Key, Size = 0, LastModified } of page.Contents ?? []) {
        if (Key === undefined) continue;
        yield { name: Key, bytes: Size, changedAt: LastModified?.getTime() ?? 0 };
      }
      token = page.IsTruncated === true ? page.NextContinuationToken : undefined;
    } while (token !== undefined);
  }

  async holdsAny(prefix: string): Promise<boolean> {
    const command = new ListObjectsV2Command({ Bucket: this.#bucket, Prefix: prefix, MaxKeys: 1 });
    const page = await this.#call((on) => this.client.send(command, on));
    return (page.Contents ?? []).length > 0;
  }

  /** Deletes objects, and ignores those that don't exist. Tries all. @throws the first failure */
  async remove(names: readonly string[]): Promise<void> {
    const errors: unknown[] = [];
    for (let at = 0; at < names.length; at += MOST_DELETED) {
      const batch = names.slice(at, at + MOST_DELETED);
      errors.push(...(await this.#removeBatch(batch)));
    }
    if (errors.length > 0) throw namedS3(errors[0], this.#where);
  }

  /** Copies within the bucket. False if there is no such object. */
  async copy(from: string, to: string): Promise<boolean> {
    const command = new CopyObjectCommand({
      Bucket: this.#bucket,
      Key: to,
      CopySource: `${this.#bucket}/${from}`,
    });
    const copied = await this.#unlessMissing(() =>
      this.#call((on) => this.client.send(command, on), this.patience.copyMs),
    );
    return copied !== undefined;
  }

  async startParts(name: string, metadata: Record<string, string>): Promise<PartedUpload> {
    const command = new CreateMultipartUploadCommand({
      Bucket: this.#bucket,
      Key: name,
      ContentType: CONTENT_TYPE,
      Metadata: metadata,
    });
    const { UploadId } = await this.#call((on) => this.client.send(command, on));
    if (UploadId === undefined) throw this.#nothing("no upload id");
    return { name, uploadId: UploadId };
  }

  /** Its caller times it. */
  async putPart(
    { name, uploadId }: PartedUpload,
    partNumber: number,
    { body, bytes, signal }: Sending,
  ): Promise<UploadedPart> {
    const command = new UploadPartCommand({
      Bucket: this.#bucket,
      Key: name,
      UploadId: uploadId,
      PartNumber: partNumber,
      Body: body,
      ContentLength: bytes,
    });
    const { ETag } = await this.#stream((on) => this.#clients.streams.send(command, on), signal);
    if (ETag === undefined) throw this.#nothing("no ETag");
    return { PartNumber: partNumber, ETag };
  }

  async copyPart(
    { name, uploadId }: PartedUpload,
    partNumber: number,
    from: string,
  ): Promise<UploadedPart> {
    const command = new UploadPartCopyCommand({
      Bucket: this.#bucket,
      Key: name,
      UploadId: uploadId,
      PartNumber: partNumber,
      CopySource: `${this.#bucket}/${from}`,
    });
    const answer = await this.#call((on) => this.client.send(command, on), this.patience.copyMs);
    const ETag = answer.CopyPartResult?.ETag;
    if (ETag === undefined) throw this.#nothing("no ETag");
    return { PartNumber: partNumber, ETag };
  }

  async completeParts(
    { name, uploadId }: PartedUpload,
    parts: readonly UploadedPart[],
  ): Promise<void> {
    const command = new CompleteMultipartUploadCommand({
      Bucket: this.#bucket,
      Key: name,
      UploadId: uploadId,
      MultipartUpload: { Parts: [...parts] },
    });
    await this.#call((on) => this.client.send(command, on), this.patience.copyMs);
  }

  /**
   * Ends the multipart uploads of these objects. Tries all. @throws the first failure
   * @param prefix how all of the names begin
   */
  async abortParts(prefix: string, names: ReadonlySet<string>): Promise<void> {
    const errors: unknown[] = [];
    for await (const { name, uploadId } of this.#uploads(prefix)) {
      if (!names.has(name)) continue;
      const command = new AbortMultipartUploadCommand({
        Bucket: this.#bucket,
        Key: name,
        UploadId: uploadId,
      });
      try {
        await this.#call((on) => this.client.send(command, on));
      } catch (error) {
        const cause = error instanceof Error ? error.cause : undefined;
        if (s3CodeOf(cause) !== "NoSuchUpload") errors.push(error);
      }
    }
    if (errors.length > 0) throw errors[0];
  }

  [Symbol.dispose](): void {
    this.#clients[Symbol.dispose]();
  }

  async *#uploads(prefix: string): AsyncGenerator<PartedUpload> {
    let after: { KeyMarker?: string | undefined; UploadIdMarker?: string | undefined } | undefined;
    do {
      const command = new ListMultipartUploadsCommand({
        Bucket: this.#bucket,
        Prefix: prefix,
        ...after,
      });
      const page = await this.#call((on) => this.client.send(command, on));
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

  async #removeBatch(names: readonly string[]): Promise<readonly unknown[]> {
    if (names.length === 1 || this.#deletesOneByOne) return this.#removeEach(names);
    const command = withMd5(
      new DeleteObjectsCommand({
        Bucket: this.#bucket,
        Delete: { Objects: names.map((Key) => ({ Key })), Quiet: true },
      }),
    );
    try {
      const { Errors = [] } = await this.#call((on) => this.client.send(command, on));
      const failed = Errors.filter(({ Code }) => Code !== "NoSuchKey");
      return failed.map(({ Key, Code = "unknown", Message = "" }) =>
        this.#nothing(`${Key} can't be deleted: ${Code} ${Message}`),
      );
    } catch (error) {
      const code = error instanceof StoreTroubleError ? error.code : "";
      if (code !== "NotImplemented" && code !== "MethodNotAllowed") return [error];
      this.#deletesOneByOne = true;
      return this.#removeEach(names);
    }
  }

  async #removeEach(names: readonly string[]): Promise<readonly unknown[]> {
    const remove = async (name: string): Promise<void> => {
      const command = new DeleteObjectCommand({ Bucket: this.#bucket, Key: name });
      await this.#unlessMissing(() => this.#call((on) => this.client.send(command, on)));
    };
    return tryEach(names, remove, CALLS_AT_ONCE);
  }

  /** A call that is over within the patience, its repetitions included. */
  async #call<Answer>(
    send: (options: { abortSignal: AbortSignal; requestTimeout: number }) => Promise<Answer>,
    answerMs = this.patience.answerMs,
  ): Promise<Answer> {
    const giveUp = AbortSignal.timeout(2 * answerMs);
    return this.#named(() => send({ abortSignal: giveUp, requestTimeout: answerMs }), giveUp);
  }

  async #stream<Answer>(
    send: (options: { abortSignal?: AbortSignal }) => Promise<Answer>,
    signal: AbortSignal | undefined,
  ): Promise<Answer> {
    return this.#named(() => send({ ...(signal && { abortSignal: signal }) }), signal);
  }

  async #named<Answer>(send: () => Promise<Answer>, signal?: AbortSignal): Promise<Answer> {
    try {
      return await send();
    } catch (error) {
      throw namedS3(signal?.aborted === true ? signal.reason : error, this.#where);
    }
  }

  async #unlessMissing<Answer>(call: () => Promise<Answer>): Promise<Answer | undefined> {
    try {
      return await call();
    } catch (error) {
      if (error instanceof StoreTroubleError && isMissing(error.cause)) return undefined;
      throw error;
    }
  }

  #nothing(what: string): StoreTroubleError {
    return new StoreTroubleError(`${this.#where}: ${what}.`, { code: "EPROTO" });
  }
}

/** The service is silent. */
export function late(what: string): Error {
  return Object.assign(new Error(`${what} didn't come in time`), { code: "ETIMEDOUT" });
}
