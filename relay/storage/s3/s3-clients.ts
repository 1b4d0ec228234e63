import { createHash } from "node:crypto";
import { Agent as HttpAgent } from "node:http";
import { Agent as HttpsAgent } from "node:https";
import { S3Client, type S3ClientConfig } from "@aws-sdk/client-s3";

/** The bucket's place, and the keys to it. */
export interface S3Address {
  readonly bucket: string;
  /** Address of the service; undefined for AWS. */
  readonly endpoint?: string | undefined;
  readonly region: string;
  /** Access key. Without both keys, the SDK looks for them elsewhere, such as in the machine's role. */
  readonly accessKeyId?: string | undefined;
  readonly secretAccessKey?: string | undefined;
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
/** Number of attempts of a short call. */
const CALL_ATTEMPTS = 3;

/** A silent logger. Without one, the SDK writes to the console; its errors are thrown anyway. */
class Silent {
  trace(): void {}
  debug(): void {}
  info(): void {}
  warn(): void {}
  error(): void {}
}
const SILENT = new Silent();

export interface S3Clients extends Disposable {
  /** Client for calls that are short and can be repeated. It repeats them after a momentary failure. */
  readonly calls: S3Client;
  /** Client for calls that carry a sound. The bytes can't be sent twice, so the call isn't repeated. */
  readonly streams: S3Client;
}

export function makeClients(address: S3Address, patience: S3Timeouts): S3Clients {
  const calls = new S3Client({
    ...configOf(address),
    maxAttempts: CALL_ATTEMPTS,
    requestHandler: {
      connectionTimeout: patience.connectMs,
      requestTimeout: patience.answerMs,
      throwOnRequestTimeout: true,
      ...agents(CALL_SOCKETS),
    },
  });
  const streams = new S3Client({
    ...configOf(address),
    maxAttempts: 1,
    // The sender determines how long a sound takes, so only silence is timed.
    requestHandler: { connectionTimeout: patience.connectMs, ...agents(STREAM_SOCKETS) },
  });
  return {
    calls,
    streams,
    [Symbol.dispose]: () => {
      calls.destroy();
      streams.destroy();
    },
  };
}

function configOf({ endpoint, region, accessKeyId, secretAccessKey }: S3Address): S3ClientConfig {
  return {
    region,
    ...(endpoint !== undefined && { endpoint, forcePathStyle: true }),
    ...(accessKeyId !== undefined &&
      secretAccessKey !== undefined && { credentials: { accessKeyId, secretAccessKey } }),
    // Many services know no other checksums than those of the signature.
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
    expectContinueHeader: false,
    logger: SILENT,
  };
}

function agents(maxSockets: number): { httpAgent: HttpAgent; httpsAgent: HttpsAgent } {
  // Idle connections end before the service ends them: a call on a connection that is about to end is lost.
  const options = { keepAlive: true, maxSockets, timeout: IDLE_CONNECTION_MS };
  return { httpAgent: new HttpAgent(options), httpsAgent: new HttpsAgent(options) };
}

/** The used part of a command's middleware stack. */
interface Stack {
  add(
    middleware: (next: (args: Step) => Promise<never>) => (args: Step) => Promise<never>,
    options: { readonly step: "build"; readonly priority: "low"; readonly name: string },
  ): void;
}

interface Step {
  readonly request: unknown;
}

interface Request {
  readonly headers: Record<string, string>;
  readonly body?: unknown;
}

/** Signs the body's SHA-256, so that the service refuses any other body. */
export function signingBody<Command extends { readonly middlewareStack: unknown }>(
  command: Command,
  sha256: string,
): Command {
  return editing(command, "signBody", ({ headers }) => {
    headers["x-amz-content-sha256"] = sha256;
  });
}

/** Replaces newer checksums by MD5, which some services require. */
export function withMd5<Command extends { readonly middlewareStack: unknown }>(
  command: Command,
): Command {
  return editing(command, "addMd5", ({ headers, body }) => {
    if (typeof body !== "string" && !(body instanceof Uint8Array)) return;
    for (const name of Object.keys(headers)) {
      if (/^x-amz-(sdk-)?checksum/i.test(name)) delete headers[name];
    }
    headers["content-md5"] = createHash("md5").update(body).digest("base64");
  });
}

function editing<Command extends { readonly middlewareStack: unknown }>(
  command: Command,
  name: string,
  edit: (request: Request) => void,
): Command {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the SDK's type of it depends on the command
  const stack = command.middlewareStack as Stack;
  stack.add(
    (next) => async (step) => {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- after this step it is an HTTP request
      edit(step.request as Request);
      return next(step);
    },
    { step: "build", priority: "low", name },
  );
  return command;
}
