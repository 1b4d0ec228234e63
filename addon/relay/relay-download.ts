import type { IncomingMessage } from "node:http";
import { MAX_JSON_BYTES } from "../../core/limits.ts";
import { parseJson } from "../../core/text/parse-json.ts";
import { readBody } from "./http-connection.ts";
import { networkTrouble, refusalIn } from "./relay-errors.ts";

export interface RelayDownload {
  /** The body's offset in the file; 0 where the relay ignored the range. */
  readonly startByte: number;
  /** Throws a sentence when the connection breaks, or the signal's reason on abort. */
  readonly body: AsyncIterable<Uint8Array>;
}

/** @throws {RelayError} when the relay refused */
export async function readDownload(
  answer: IncomingMessage,
  { signal, host }: { readonly signal: AbortSignal; readonly host: string },
): Promise<RelayDownload> {
  const status = answer.statusCode ?? 0;
  if (status !== 200 && status !== 206) {
    const body = parseJson(await readBody(answer, MAX_JSON_BYTES, host));
    throw refusalIn({ status, headers: answer.headers, body }, host);
  }
  const range = /^bytes (\d+)-/.exec(answer.headers["content-range"] ?? "");
  return {
    startByte: status === 206 ? Number(range?.[1] ?? 0) : 0,
    body: piecesOf(answer, signal, host),
  };
}

async function* piecesOf(
  answer: IncomingMessage,
  signal: AbortSignal,
  host: string,
): AsyncGenerator<Uint8Array> {
  try {
    yield* answer as AsyncIterable<Uint8Array>;
  } catch (error) {
    signal.throwIfAborted();
    throw networkTrouble(error, host);
  }
}
