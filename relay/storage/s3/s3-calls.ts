import type { S3Client } from "@aws-sdk/client-s3";
import { StoreTroubleError } from "../../domain/ports.ts";
import { makeClients, type S3Address, type S3Clients, type S3Patience } from "./s3-clients.ts";
import { isMissing, namedS3 } from "./s3-trouble.ts";

/** How one bucket is called: with an end in time, and with the port's errors. */
export class S3Calls implements Disposable {
  readonly patience: S3Patience;
  /** The bucket's name. */
  readonly bucket: string;
  /** For messages. */
  readonly where: string;
  readonly #clients: S3Clients;

  constructor(address: S3Address, patience: S3Patience) {
    this.patience = patience;
    this.bucket = address.bucket;
    this.where = `The bucket ${address.bucket} at ${address.endpoint ?? "AWS"}`;
    this.#clients = makeClients(address, patience);
  }

  /** For calls that are short and can be repeated. */
  get client(): S3Client {
    return this.#clients.calls;
  }

  /** For calls that carry a sound. */
  get streams(): S3Client {
    return this.#clients.streams;
  }

  [Symbol.dispose](): void {
    this.#clients[Symbol.dispose]();
  }

  /** A call that is over within the patience, its repetitions included. */
  async call<Answer>(
    send: (options: { abortSignal: AbortSignal; requestTimeout: number }) => Promise<Answer>,
    answerMs = this.patience.answerMs,
  ): Promise<Answer> {
    const giveUp = AbortSignal.timeout(2 * answerMs);
    return this.named(() => send({ abortSignal: giveUp, requestTimeout: answerMs }), giveUp);
  }

  /** A call that its caller times. */
  async stream<Answer>(
    send: (options: { abortSignal?: AbortSignal }) => Promise<Answer>,
    signal: AbortSignal | undefined,
  ): Promise<Answer> {
    return this.named(() => send({ ...(signal && { abortSignal: signal }) }), signal);
  }

  /** Errors become the port's. */
  async named<Answer>(send: () => Promise<Answer>, signal?: AbortSignal): Promise<Answer> {
    try {
      return await send();
    } catch (error) {
      throw namedS3(signal?.aborted === true ? signal.reason : error, this.where);
    }
  }

  /** Undefined if there is no such object. */
  async unlessMissing<Answer>(call: () => Promise<Answer>): Promise<Answer | undefined> {
    try {
      return await call();
    } catch (error) {
      if (error instanceof StoreTroubleError && isMissing(error.cause)) return undefined;
      throw error;
    }
  }

  /** The service answered with something strange. */
  nothing(what: string): StoreTroubleError {
    return new StoreTroubleError(`${this.where}: ${what}.`, { code: "EPROTO" });
  }
}

/** The service is silent. */
export function late(what: string): Error {
  return Object.assign(new Error(`${what} didn't come in time`), { code: "ETIMEDOUT" });
}
