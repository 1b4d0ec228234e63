import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import {
  CopyObjectCommand,
  DeleteObjectCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
} from "@aws-sdk/client-s3";
import { type AnnouncedBytes, type ByteRange, StoreTroubleError } from "../../domain/ports.ts";
import { tryEach } from "../disk/try-each.ts";
import { codeOf } from "../error-codes.ts";
import {
  editing,
  late,
  type Pieces,
  type S3Address,
  S3Calls,
  type S3Timeouts,
  signing,
  useMd5,
} from "./s3-calls.ts";
import { s3StatusOf } from "./s3-trouble.ts";
import { CONTENT_TYPE, S3Uploads } from "./s3-uploads.ts";

/** Maximum number of objects that one call deletes; the service's limit. */
const MOST_DELETED = 1000;
export const CALLS_AT_ONCE = 16;

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

/** One bucket, whose calls reject with the port's errors. */
export class S3Bucket implements Disposable {
  readonly uploads: S3Uploads;
  /** True if the service doesn't check checksums, so that each sound is read back. */
  takesWrongBytes = false;
  /** True if the service keeps a SHA-256 of what it is sent (rule SC14). */
  keepsChecksums = false;
  readonly #calls: S3Calls;
  readonly #bucket: { readonly Bucket: string };
  #deletesOneByOne = false;

  constructor(address: S3Address, patience: S3Timeouts) {
    this.#calls = new S3Calls(address, patience);
    this.#bucket = { Bucket: address.bucket };
    this.uploads = new S3Uploads(this.#calls);
  }

  async head(name: string): Promise<FoundObject | undefined> {
    const found = await this.#calls.find(new HeadObjectCommand({ ...this.#bucket, Key: name }));
    return found && { bytes: found.ContentLength ?? 0, metadata: found.Metadata ?? {} };
  }

  /**
   * Returns the SHA-256 that the service keeps of an object, in lowercase hex; undefined if it keeps none of the whole
   * object. One of a multipart upload is made of those of its parts.
   */
  async checksumOf(name: string): Promise<string | undefined> {
    const asked = { ...this.#bucket, Key: name, ChecksumMode: "ENABLED" } as const;
    const found = await this.#calls.find(new HeadObjectCommand(asked));
    const { ChecksumSHA256: kept, ChecksumType: type } = found ?? {};
    if (kept === undefined || type === "COMPOSITE" || kept.includes("-")) return undefined;
    return Buffer.from(kept, "base64").toString("hex");
  }

  /**
   * Opens an object. Returns undefined if there is no such object, or if it ends before the range does. The reader may
   * take any time; it fails when the service is silent for too long.
   */
  async open(name: string, range?: ByteRange): Promise<AsyncIterable<Uint8Array> | undefined> {
    const Range = range && `bytes=${range.start}-${range.end}`;
    const command = new GetObjectCommand({ ...this.#bucket, Key: name, Range });
    const got = await this.#calls.open(command).catch((error: unknown) => {
      if (s3StatusOf(error) === 416) return undefined;
      throw error;
    });
    if (got === undefined) return undefined;
    const body = this.#streamOf(got.Body);
    const isShort = range !== undefined && got.ContentLength !== range.end - range.start + 1;
    if (!isShort) return readPieces(body, this.#calls.patience.idleMs);
    body.destroy();
    return undefined;
  }

  /** Makes an address from which anybody can get the object for that time. */
  async addressOf(name: string, seconds: number): Promise<string> {
    const { getSignedUrl } = await import("@aws-sdk/s3-request-presigner");
    const command = new GetObjectCommand({ ...this.#bucket, Key: name });
    const options = { expiresIn: seconds };
    return this.#calls.named(() => getSignedUrl(this.#calls.client, command, options));
  }

  /** Reads a short text. Returns undefined if there is no such object. */
  async getText(name: string): Promise<string | undefined> {
    const got = await this.#calls.find(new GetObjectCommand({ ...this.#bucket, Key: name }));
    return got && text(readPieces(this.#streamOf(got.Body), this.#calls.patience.idleMs));
  }

  /** @param sha256 of the body, in lowercase hex, for the service to keep */
  async putText(name: string, body: string, metadata = {}, sha256?: string): Promise<void> {
    const content = { ...this.#bucket, Key: name, Body: body, Metadata: metadata };
    await this.#calls.call(new PutObjectCommand({ ...content, ...(sha256 && kept(sha256)) }));
  }

  /** Sends the bytes of a sound, or some of them, as an object. The service refuses others. */
  async put(
    name: string,
    { bytes: ContentLength, sha256 }: AnnouncedBytes,
    read: () => Pieces,
  ): Promise<void> {
    const content = {
      ...this.#bucket,
      Key: name,
      ContentLength,
      ContentType: CONTENT_TYPE,
      ...(this.keepsChecksums && kept(sha256)),
    };
    await this.#calls.send(read, (Body) =>
      editing(new PutObjectCommand({ ...content, Body, Metadata: { sha256 } }), signing(sha256)),
    );
  }

  /** Lists objects in the order of their names. */
  async *list(prefix: string): AsyncGenerator<ListedObject> {
    let token: string | undefined;
    do {
      const from = { Prefix: prefix, ContinuationToken: token };
      const page = await this.#calls.call(new ListObjectsV2Command({ ...this.#bucket, ...from }));
      for (const { Key, Size = 0, LastModified } of page.Contents ?? []) {
        if (Key === undefined) continue;
        yield { name: Key, bytes: Size, changedAt: LastModified?.getTime() ?? 0 };
      }
      token = page.IsTruncated === true ? page.NextContinuationToken : undefined;
    } while (token !== undefined);
  }

  async listAll(prefix: string): Promise<readonly ListedObject[]> {
    const listed: ListedObject[] = [];
    for await (const each of this.list(prefix)) listed.push(each);
    return listed;
  }

  /** Deletes objects, and ignores missing ones. Tries all. @throws the first failure */
  async remove(names: readonly string[]): Promise<void> {
    const errors: unknown[] = [];
    for (let at = 0; at < names.length; at += MOST_DELETED) {
      errors.push(...(await this.#removeBatch(names.slice(at, at + MOST_DELETED))));
    }
    if (errors.length > 0) throw errors[0];
  }

  /** Copies within the bucket. Returns false if there is no such object. */
  async copy(from: string, to: string): Promise<boolean> {
    const CopySource = `${this.#calls.bucket}/${from}`;
    const command = new CopyObjectCommand({ ...this.#bucket, Key: to, CopySource });
    return (await this.#calls.find(command, this.#calls.patience.copyMs)) !== undefined;
  }

  [Symbol.dispose](): void {
    this.#calls[Symbol.dispose]();
  }

  #streamOf(body: unknown): Readable {
    if (body instanceof Readable) return body;
    throw this.#calls.strange("no stream of bytes");
  }

  async #removeBatch(names: readonly string[]): Promise<readonly unknown[]> {
    if (names.length === 1 || this.#deletesOneByOne) return this.#removeEach(names);
    const Delete = { Objects: names.map((Key) => ({ Key })), Quiet: true };
    const command = editing(new DeleteObjectsCommand({ ...this.#bucket, Delete }), useMd5);
    try {
      const { Errors = [] } = await this.#calls.call(command);
      const failed = Errors.filter(({ Code }) => Code !== "NoSuchKey");
      return failed.map(({ Key, Code = "unknown", Message = "" }) =>
        this.#calls.strange(`${Key} can't be deleted: ${Code} ${Message}`),
      );
    } catch (error) {
      const code = error instanceof StoreTroubleError ? error.code : "";
      if (code !== "NotImplemented" && code !== "MethodNotAllowed") return [error];
      this.#deletesOneByOne = true;
      return this.#removeEach(names);
    }
  }

  async #removeEach(names: readonly string[]): Promise<readonly unknown[]> {
    const remove = async (Key: string): Promise<void> => {
      await this.#calls.find(new DeleteObjectCommand({ ...this.#bucket, Key }));
    };
    return tryEach(names, remove, CALLS_AT_ONCE);
  }
}

/** Has the service keep this SHA-256 of an object, which is in lowercase hex. */
function kept(sha256: string): { readonly ChecksumSHA256: string } {
  return { ChecksumSHA256: Buffer.from(sha256, "hex").toString("base64") };
}

/** Reads the pieces of an answer. Ends its connection when the reader stops early. */
async function* readPieces(body: Readable, idleMs: number): AsyncGenerator<Uint8Array> {
  const pieces: AsyncIterator<Uint8Array> = body[Symbol.asyncIterator]();
  const giveUp = () => body.destroy(late("The rest"));
  try {
    for (;;) {
      const timer = setTimeout(giveUp, idleMs);
      const next = await pieces.next().finally(() => clearTimeout(timer));
      if (next.done === true) return;
      yield next.value;
    }
  } catch (error) {
    const sentence = "The service ended in the midst of a sound.";
    throw new StoreTroubleError(sentence, { code: codeOf(error) || "EPROTO", cause: error });
  } finally {
    body.destroy();
  }
}

/** Computes the SHA-256 of pieces, in lowercase hex. */
export async function hashOf(pieces: Pieces): Promise<string> {
  const hash = createHash("sha256");
  for await (const piece of pieces) hash.update(piece);
  return hash.digest("hex");
}
