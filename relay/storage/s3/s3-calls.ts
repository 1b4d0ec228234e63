import type { S3Client } from "@aws-sdk/client-s3";
import { StoreTroubleError } from "../../domain/ports.ts";
import { makeClients, type S3Address, type S3Clients, type S3Timeouts } from "./s3-clients.ts";
import { isMissing, namedS3 } from "./s3-trouble.ts";

/** The calls to one bucket, which end in time and reject with the port's errors. */
export class S3Calls implements Disposable {
  readonly patience: S3Timeouts;
  /** The bucket's name. */
  readonly bucket: string;
  /** Bucket and endpoint, for messages. */
  readonly where: string;
  readonly #clients: S3Clients;

  constructor(address: S3Address, patience: S3Timeouts) {
    this.patience = patience;
    this.bucket = address.bucket;
    this.where = `The bucket ${address.bucket} at ${address.endpoint ?? "AWS"}`;
    this.#clients = makeClients(address, patience);
  }

  /** The client for calls that are short and can be repeated. */
  get client(): S3Client {
    return this.#clients.calls;
  }

  /** The client for calls that carry a sound. */
  get streams(): S3Client {
    return this.#clients.streams;
  }

  [Symbol.dispose](): void {
    this.#clients[Symbol.dispose]();
  }

  /** Runs a call that ends within the patience, including its repetitions. */
  async call<Answer>(
    send: (options: { abortSignal: AbortSignal; requestTimeout: number }) => Promise<Answer>,
    answerMs = this.patience.answerMs,
  ): Promise<Answer> {
    const giveUp = AbortSignal.timeout(2 * answerMs);
    return this.named(() => send({ abortSignal: giveUp, requestTimeout: answerMs }), giveUp);
  }

  /** Runs a call whose time the caller limits. */
  async stream<Answer>(
    send: (options: { abortSignal?: AbortSignal }) => Promise<Answer>,
    signal: AbortSignal | undefined,
  ): Promise<Answer> {
    return this.named(() => send({ ...(signal && { abortSignal: signal }) }), signal);
  }

  /** Runs a call, and converts its errors to the port's. */
  async named<Answer>(send: () => Promise<Answer>, signal?: AbortSignal): Promise<Answer> {
    try {
      return await send();
    } catch (error) {
      throw namedS3(signal?.aborted === true ? signal.reason : error, this.where);
    }
  }

  /** Runs a call. Returns undefined if there is no such object. */
  async unlessMissing<Answer>(call: () => Promise<Answer>): Promise<Answer | undefined> {
    try {
      return await call();
    } catch (error) {
      if (error instanceof StoreTroubleError && isMissing(error.cause)) return undefined;
      throw error;
    }
  }

  /** Makes the error for a strange answer of the service. */
  nothing(what: string): StoreTroubleError {
    return new StoreTroubleError(`${this.where}: ${what}.`, { code: "EPROTO" });
  }
}

/** Makes the error for a silent service. */
export function late(what: string): Error {
  return Object.assign(new Error(`${what} didn't come in time`), { code: "ETIMEDOUT" });
}
