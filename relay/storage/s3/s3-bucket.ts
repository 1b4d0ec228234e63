import { Readable } from "node:stream";
import {
  CopyObjectCommand,
  DeleteObjectCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  type S3Client,
} from "@aws-sdk/client-s3";
import { StoreTroubleError } from "../../domain/ports.ts";
import { tryEach } from "../disk/try-each.ts";
import { late, S3Calls } from "./s3-calls.ts";
import { type S3Address, type S3Timeouts, signingBody, withMd5 } from "./s3-clients.ts";
import { namedS3, s3StatusOf } from "./s3-trouble.ts";
import { CONTENT_TYPE, S3Uploads, type Sending } from "./s3-uploads.ts";

/** Maximum number of objects that one call deletes; the service's limit. */
const MOST_DELETED = 1000;
const CALLS_AT_ONCE = 16;

/** An object as the service lists it. */
export interface ListedObject {
  readonly name: string;
  readonly bytes: number;
  /** Time of the last change by the service's clock, in milliseconds since 1970. */
  readonly changedAt: number;
}

interface FoundObject {
  readonly bytes: number;
  readonly metadata: Readonly<Record<string, string>>;
}

interface OpenedObject {
  readonly bytes: number;
  readonly body: Readable;
}

/** One bucket, whose calls reject with the port's errors. */
export class S3Bucket implements Disposable {
  readonly patience: S3Timeouts;
  readonly uploads: S3Uploads;
  readonly #calls: S3Calls;
  #deletesOneByOne = false;

  constructor(address: S3Address, patience: S3Timeouts) {
    this.patience = patience;
    this.#calls = new S3Calls(address, patience);
    this.uploads = new S3Uploads(this.#calls);
  }

  /** The client that makes addresses that others may call. */
  get client(): S3Client {
    return this.#calls.client;
  }

  get name(): string {
    return this.#calls.bucket;
  }

  async head(name: string): Promise<FoundObject | undefined> {
    const command = new HeadObjectCommand({ Bucket: this.#calls.bucket, Key: name });
    const found = await this.#calls.unlessMissing(() =>
      this.#calls.call((on) => this.#calls.client.send(command, on)),
    );
    return found && { bytes: found.ContentLength ?? 0, metadata: found.Metadata ?? {} };
  }

  /** Opens an object. Returns undefined if there is no such object, or if it ends before the range begins. */
  async get(
    name: string,
    range?: { readonly start: number; readonly end: number },
  ): Promise<OpenedObject | undefined> {
    const command = new GetObjectCommand({
      Bucket: this.#calls.bucket,
      Key: name,
      ...(range && { Range: `bytes=${range.start}-${range.end}` }),
    });
    const giveUp = new AbortController();
    const timer = setTimeout(() => giveUp.abort(late("its answer")), this.#calls.patience.answerMs);
    try {
      const { streams } = this.#calls;
      const send = () => streams.send(command, { abortSignal: giveUp.signal });
      const got = await this.#calls.unlessMissing(() => this.#calls.named(send, giveUp.signal));
      if (got?.Body === undefined) return undefined;
      if (!(got.Body instanceof Readable)) throw this.#calls.nothing("no stream of bytes");
      return { bytes: got.ContentLength ?? 0, body: got.Body };
    } catch (error) {
      if (s3StatusOf(error instanceof Error ? error.cause : error) === 416) return undefined;
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  /** Makes an address from which anybody can get the object for that time. */
  async addressOf(name: string, seconds: number): Promise<string> {
    const { getSignedUrl } = await import("@aws-sdk/s3-request-presigner");
    const command = new GetObjectCommand({ Bucket: this.#calls.bucket, Key: name });
    return this.#calls.named(() =>
      getSignedUrl(this.#calls.client, command, { expiresIn: seconds }),
    );
  }

  /** Reads a short text. Returns undefined if there is no such object. */
  async getText(name: string): Promise<string | undefined> {
    const command = new GetObjectCommand({ Bucket: this.#calls.bucket, Key: name });
    return this.#calls.unlessMissing(() =>
      this.#calls.call(async (on) =>
        (await this.#calls.client.send(command, on)).Body?.transformToString(),
      ),
    );
  }

  async putText(
    name: string,
    text: string,
    metadata: Record<string, string> = {},
    sha256?: string,
  ): Promise<void> {
    const command = new PutObjectCommand({
      Bucket: this.#calls.bucket,
      Key: name,
      Body: text,
      Metadata: metadata,
    });
    if (sha256 !== undefined) signingBody(command, sha256);
    await this.#calls.call((on) => this.#calls.client.send(command, on));
  }

  /** Sends an object. The caller limits the time. */
  async put(name: string, { body, bytes, sha256, metadata, signal }: Sending): Promise<void> {
    const command = new PutObjectCommand({
      Bucket: this.#calls.bucket,
      Key: name,
      Body: body,
      ContentLength: bytes,
      ContentType: CONTENT_TYPE,
      ...(metadata && { Metadata: metadata }),
    });
    if (sha256 !== undefined) signingBody(command, sha256);
    await this.#calls.stream((on) => this.#calls.streams.send(command, on), signal);
  }

  async *list(prefix: string): AsyncGenerator<ListedObject> {
    let token: string | undefined;
    do {
      const command = new ListObjectsV2Command({
        Bucket: this.#calls.bucket,
        Prefix: prefix,
        ContinuationToken: token,
      });
      const page = await this.#calls.call((on) => this.#calls.client.send(command, on));
      for (const { Key, Size = 0, LastModified } of page.Contents ?? []) {
        if (Key === undefined) continue;
        yield { name: Key, bytes: Size, changedAt: LastModified?.getTime() ?? 0 };
      }
      token = page.IsTruncated === true ? page.NextContinuationToken : undefined;
    } while (token !== undefined);
  }

  async holdsAny(prefix: string): Promise<boolean> {
    const command = new ListObjectsV2Command({
      Bucket: this.#calls.bucket,
      Prefix: prefix,
      MaxKeys: 1,
    });
    const page = await this.#calls.call((on) => this.#calls.client.send(command, on));
    return (page.Contents ?? []).length > 0;
  }

  /** Deletes objects, and ignores missing ones. Tries all. @throws the first failure */
  async remove(names: readonly string[]): Promise<void> {
    const errors: unknown[] = [];
    for (let at = 0; at < names.length; at += MOST_DELETED) {
      const batch = names.slice(at, at + MOST_DELETED);
      errors.push(...(await this.#removeBatch(batch)));
    }
    if (errors.length > 0) throw namedS3(errors[0], this.#calls.where);
  }

  /** Copies within the bucket. Returns false if there is no such object. */
  async copy(from: string, to: string): Promise<boolean> {
    const command = new CopyObjectCommand({
      Bucket: this.#calls.bucket,
      Key: to,
      CopySource: `${this.#calls.bucket}/${from}`,
    });
    const copied = await this.#calls.unlessMissing(() =>
      this.#calls.call((on) => this.#calls.client.send(command, on), this.#calls.patience.copyMs),
    );
    return copied !== undefined;
  }

  [Symbol.dispose](): void {
    this.#calls[Symbol.dispose]();
  }

  async #removeBatch(names: readonly string[]): Promise<readonly unknown[]> {
    if (names.length === 1 || this.#deletesOneByOne) return this.#removeEach(names);
    const command = withMd5(
      new DeleteObjectsCommand({
        Bucket: this.#calls.bucket,
        Delete: { Objects: names.map((Key) => ({ Key })), Quiet: true },
      }),
    );
    try {
      const { Errors = [] } = await this.#calls.call((on) => this.#calls.client.send(command, on));
      const failed = Errors.filter(({ Code }) => Code !== "NoSuchKey");
      return failed.map(({ Key, Code = "unknown", Message = "" }) =>
        this.#calls.nothing(`${Key} can't be deleted: ${Code} ${Message}`),
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
      const command = new DeleteObjectCommand({ Bucket: this.#calls.bucket, Key: name });
      await this.#calls.unlessMissing(() =>
        this.#calls.call((on) => this.#calls.client.send(command, on)),
      );
    };
    return tryEach(names, remove, CALLS_AT_ONCE);
  }
}
