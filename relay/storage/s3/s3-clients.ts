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
