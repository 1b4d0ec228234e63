import { createHash } from "node:crypto";
import { Agent as HttpAgent } from "node:http";
import { Agent as HttpsAgent } from "node:https";
import { Readable } from "node:stream";
import {
  type $Command,
  S3Client,
  type S3ClientResolvedConfig,
  type ServiceInputTypes,
  type ServiceOutputTypes,
} from "@aws-sdk/client-s3";
import { StoreTroubleError } from "../../domain/ports.ts";
import { codeOf } from "../error-codes.ts";
import { isMissing, isRefused, namedS3 } from "./s3-trouble.ts";

/** The bucket's place, and the keys to it. */
export interface S3Address {
  readonly bucket: string;
  /** Address of the service; undefined for AWS. */
  readonly endpoint?: string | undefined;
  readonly region: string;
  /** Access key. Without both keys, the SDK looks for them elsewhere, such as in the machine's role. */
  readonly accessKeyId?: string | undefined;
  readonly secretAccessKey?: string | undefined;
  /** False to take any certificate of the service; true by default. */
  readonly isVerified?: boolean;
  /** Certificate authority of the service (PEM); undefined for the public ones. */
  readonly ca?: string | undefined;
}

/** The settings that say where a bucket is. */
export interface S3Settings {
  readonly s3Endpoint?: string | undefined;
  readonly s3Region?: string | undefined;
  readonly s3AccessKeyId?: string | undefined;
  readonly s3SecretAccessKey?: string | undefined;
  readonly s3Tls?: string;
  readonly s3Ca?: string | undefined;
}

/** Returns the place of a bucket, and the keys to it, from the settings. */
export function s3AddressOf(bucket: string, settings: S3Settings): S3Address {
  return {
    bucket,
    endpoint: settings.s3Endpoint,
    region: settings.s3Region ?? "us-east-1",
    accessKeyId: settings.s3AccessKeyId,
    secretAccessKey: settings.s3SecretAccessKey,
    isVerified: settings.s3Tls !== "unverified",
    ca: settings.s3Ca,
  };
}

/** The limits of waiting for the service. */
export interface S3Timeouts {
  readonly connectMs: number;
  /** Time from the end of a call to its answer. */
  readonly answerMs: number;
  /** The same time for calls that move many bytes within the service. */
  readonly copyMs: number;
  /** Time until the next bytes while bytes are sent or received. */
  readonly idleMs: number;
}

export const PATIENCE: S3Timeouts = {
  connectMs: 5_000,
  answerMs: 15_000,
  copyMs: 60_000,
  idleMs: 30_000,
};

/** Number of connections for short calls. */
const CALL_SOCKETS = 64;
/** Number of connections that carry sounds. The relay lets fewer run. */
const STREAM_SOCKETS = 768;
const IDLE_CONNECTION_MS = 3_000;
/** Number of attempts of a call. */
const ATTEMPTS = 3;

type S3Command<In extends ServiceInputTypes, Out extends ServiceOutputTypes> = $Command<
  In,
  Out,
  S3ClientResolvedConfig,
  ServiceInputTypes,
  ServiceOutputTypes
>;

export type Pieces = Iterable<Uint8Array> | AsyncIterable<Uint8Array>;

/** The calls to one bucket, which end in time and reject with the port's errors. */
export class S3Calls implements Disposable {
  readonly patience: S3Timeouts;
  /** The bucket's name. */
  readonly bucket: string;
  /** Client of calls that are short. It repeats them after a momentary failure. */
  readonly client: S3Client;
  /** Client of calls that carry a sound. Their length determines how long they take, and it repeats none. */
  readonly #streams: S3Client;
  /** Bucket and endpoint, for messages. */
  readonly #where: string;
  readonly #closed = new AbortController();

  constructor(address: S3Address, patience: S3Timeouts) {
    this.patience = patience;
    this.bucket = address.bucket;
    this.#where = `The bucket ${address.bucket} at ${address.endpoint ?? "AWS"}`;
    this.client = makeClient(address, patience, { attempts: ATTEMPTS, sockets: CALL_SOCKETS });
    this.#streams = makeClient(address, patience, { attempts: 1, sockets: STREAM_SOCKETS });
  }

  /** Ends short calls that run, too. The client would repeat them. */
  [Symbol.dispose](): void {
    this.#closed.abort(late("The end of the program"));
    this.client.destroy();
    this.#streams.destroy();
  }

  /** Makes a call that ends within the patience, including its repetitions. */
  async call<In extends ServiceInputTypes, Out extends ServiceOutputTypes>(
    command: S3Command<In, Out>,
    answerMs = this.patience.answerMs,
  ): Promise<Out> {
    const abortSignal = AbortSignal.any([this.#closed.signal, AbortSignal.timeout(2 * answerMs)]);
    const options = { abortSignal, requestTimeout: answerMs };
    return this.named(() => this.client.send(command, options), abortSignal);
  }

  /** Makes a call. Returns undefined if there is no such object. */
  async find<In extends ServiceInputTypes, Out extends ServiceOutputTypes>(
    command: S3Command<In, Out>,
    answerMs?: number,
  ): Promise<Out | undefined> {
    return unlessMissing(this.call(command, answerMs));
  }

  /** Makes a call whose answer is a stream, which the caller times. Returns undefined if there is no such object. */
  async open<In extends ServiceInputTypes, Out extends ServiceOutputTypes>(
    command: S3Command<In, Out>,
  ): Promise<Out | undefined> {
    const giveUp = new AbortController();
    const timer = setTimeout(() => giveUp.abort(late("Its answer")), this.patience.answerMs);
    const send = () => this.#streams.send(command, { abortSignal: giveUp.signal });
    return unlessMissing(this.named(send, giveUp.signal)).finally(() => clearTimeout(timer));
  }

  /**
   * Makes a call that carries bytes, and repeats it after a momentary failure. Only silence is timed, and ends it.
   * @param read reads the bytes from their beginning
   */
  async send<In extends ServiceInputTypes, Out extends ServiceOutputTypes>(
    read: () => Pieces,
    commandOf: (body: Readable) => S3Command<In, Out>,
  ): Promise<Out> {
    for (let attempts = 1; ; attempts += 1) {
      const giveUp = new AbortController();
      const timer = setTimeout(() => giveUp.abort(late("Its answer")), this.patience.idleMs);
      const body = Readable.from(watched(read(), timer), { objectMode: false });
      body.on("error", (error) => giveUp.abort(error));
      const send = () => this.#streams.send(commandOf(body), { abortSignal: giveUp.signal });
      try {
        return await this.named(send, giveUp.signal);
      } catch (error) {
        body.destroy();
        const isLast = attempts === ATTEMPTS || codeOf(error) === "ETIMEDOUT";
        if (isLast || isRefused(error)) throw error;
      } finally {
        clearTimeout(timer);
      }
    }
  }

  /** Runs a call, and converts its errors to the port's. */
  async named<Answer>(send: () => Promise<Answer>, signal?: AbortSignal): Promise<Answer> {
    try {
      return await send();
    } catch (error) {
      throw namedS3(signal?.aborted === true ? signal.reason : error, this.#where);
    }
  }

  /** Makes the error for a strange answer of the service. */
  strange(what: string): StoreTroubleError {
    return new StoreTroubleError(`${this.#where}: ${what}.`, { code: "EPROTO" });
  }
}

/** Makes the error for a silent service. */
export function late(what: string): Error {
  return Object.assign(new Error(`${what} didn't come in time`), { code: "ETIMEDOUT" });
}

/** Passes pieces on, and starts a timer again with each. */
async function* watched(pieces: Pieces, timer: NodeJS.Timeout): AsyncGenerator<Uint8Array> {
  for await (const piece of pieces) {
    timer.refresh();
    yield piece;
  }
}

async function unlessMissing<Answer>(call: Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await call;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

interface Request {
  readonly headers: Record<string, string>;
  readonly body?: unknown;
}

/** Changes a command's request before it is signed. */
export function editing<In extends ServiceInputTypes, Out extends ServiceOutputTypes>(
  command: S3Command<In, Out>,
  edit: (request: Request) => void,
): S3Command<In, Out> {
  command.middlewareStack.add(
    (next) => async (step) => {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- in this step it is an HTTP request
      edit(step.request as Request);
      return next(step);
    },
    { step: "build", priority: "low" },
  );
  return command;
}

/** Signs the body's SHA-256, so that the service refuses any other body. */
export function signing(sha256: string): (request: Request) => void {
  return ({ headers }) => void (headers["x-amz-content-sha256"] = sha256);
}

/** Replaces newer checksums by MD5, which some services require. */
export function useMd5({ headers, body }: Request): void {
  if (typeof body !== "string" && !(body instanceof Uint8Array)) return;
  for (const name of Object.keys(headers)) {
    if (/^x-amz-(sdk-)?checksum/i.test(name)) delete headers[name];
  }
  headers["content-md5"] = createHash("md5").update(body).digest("base64");
}

function makeClient(
  { endpoint, region, accessKeyId, secretAccessKey, isVerified = true, ca }: S3Address,
  { connectMs: connectionTimeout }: S3Timeouts,
  { attempts, sockets }: { readonly attempts: number; readonly sockets: number },
): S3Client {
  // Idle connections end before the service ends them: a call on a connection that is about to end is lost.
  const agent = { keepAlive: true, maxSockets: sockets, timeout: IDLE_CONNECTION_MS };
  return new S3Client({
    region,
    ...(endpoint !== undefined && { endpoint, forcePathStyle: true }),
    // The SDK's own variables and files could name one that nobody has judged (rule SEC3).
    ignoreConfiguredEndpointUrls: true,
    ...(accessKeyId !== undefined &&
      secretAccessKey !== undefined && { credentials: { accessKeyId, secretAccessKey } }),
    maxAttempts: attempts,
    requestHandler: {
      connectionTimeout,
      throwOnRequestTimeout: true,
      httpAgent: new HttpAgent(agent),
      httpsAgent: new HttpsAgent({ ...agent, rejectUnauthorized: isVerified, ca }),
    },
    // Many services know no other checksums than those of the signature.
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
    expectContinueHeader: false,
    // Without a logger, the SDK writes to the console. Its errors are thrown anyway.
    logger: { trace: ignore, debug: ignore, info: ignore, warn: ignore, error: ignore },
  });
}

function ignore(): void {}
