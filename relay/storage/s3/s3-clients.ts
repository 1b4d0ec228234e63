import { createHash } from "node:crypto";
import { Agent as HttpAgent } from "node:http";
import { Agent as HttpsAgent } from "node:https";
import { S3Client, type S3ClientConfig } from "@aws-sdk/client-s3";

/** Where the bucket is, and who may use it. */
export interface S3Address {
  readonly bucket: string;
  /** Undefined for AWS. */
  readonly endpoint?: string | undefined;
  readonly region: string;
  /** Without both keys they come from where the SDK looks for them, such as the machine's role. */
  readonly accessKeyId?: string | undefined;
  readonly secretAccessKey?: string | undefined;
}

/** How long to wait for the service. */
export interface S3Patience {
  readonly connectMs: number;
  /** From the end of a call to its answer. */
  readonly answerMs: number;
  /** The same for calls that move many bytes within the service. */
  readonly copyMs: number;
  /** While bytes go either way, for the next of them. */
  readonly idleMs: number;
}

export const PATIENCE: S3Patience = {
  connectMs: 5_000,
  answerMs: 15_000,
  copyMs: 60_000,
  idleMs: 30_000,
};

/** Connections for short calls. */
const CALL_SOCKETS = 64;
/** Connections that carry sounds. The relay lets fewer run. */
const STREAM_SOCKETS = 768;
const IDLE_CONNECTION_MS = 3_000;
/** Short calls can be repeated. */
const CALL_ATTEMPTS = 3;

/** The SDK writes to the console without a logger of one's own. Errors come as errors. */
class Silent {
  trace(): void {}
  debug(): void {}
  info(): void {}
  warn(): void {}
  error(): void {}
}
const SILENT = new Silent();

export interface S3Clients extends Disposable {
  /** For calls that are short and can be repeated: they are, when they fail for a moment. */
  readonly calls: S3Client;
  /** For calls that carry a sound. Its bytes can't be sent twice, so neither is the call. */
  readonly streams: S3Client;
}

export function makeClients(address: S3Address, patience: S3Patience): S3Clients {
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
    // How long a sound takes is up to its sender: the silence is timed instead.
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
  // Idle ones end before the service ends them: a call on a connection that is about to end is lost.
  const options = { keepAlive: true, maxSockets, timeout: IDLE_CONNECTION_MS };
  return { httpAgent: new HttpAgent(options), httpsAgent: new HttpsAgent(options) };
}

/** A command's steps, as far as they are used here. */
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

/** Some services want this checksum and no newer one. */
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
