import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { MAX_JSON_BYTES } from "../../core/limits.ts";
import { parseJson } from "../../core/text/parse-json.ts";
import { readBody } from "./http-exchange.ts";
import { networkTrouble, notTheSound, refusalIn, RelayUnreachableError } from "./relay-errors.ts";

export interface RelayDownload {
  /** The body's offset in the file; 0 where the relay ignored the range. */
  readonly startByte: number;
  /** The body's length as announced; undefined where it wasn't. */
  readonly bodyBytes: number | undefined;
  /** Throws a sentence when the connection breaks, or the signal's reason on abort. */
  readonly body: AsyncIterable<Uint8Array>;
}

/**
 * Reads the answer to a request for a file, from its start or from `startByte` on.
 * @throws {RelayError} when the relay, or something on the way, refused
 * @throws {RelayUnreachableError} when the answer is not that part of a sound, such as a page of HTML
 */
export async function readDownload(
  answer: IncomingMessage,
  { signal, host }: { readonly signal: AbortSignal; readonly host: string },
): Promise<RelayDownload> {
  const { statusCode: status = 0, headers } = answer;
  if (status !== 200 && status !== 206) {
    throw refusalIn({ status, headers, body: parseJson(await readRefusal(answer, host)) }, host);
  }
  const isText = /^(text\/|application\/(json|xhtml))/i.test(headers["content-type"] ?? "");
  const isEncoded = (headers["content-encoding"] ?? "identity") !== "identity";
  const part = status === 206 ? partIn(headers) : { startByte: 0, bodyBytes: lengthIn(headers) };
  if (isText || isEncoded || part === undefined) {
    answer.destroy();
    throw notTheSound(host);
  }
  return { ...part, body: piecesOf(answer, signal, host) };
}

/** Returns undefined for a range that makes no sense. */
function partIn(headers: IncomingHttpHeaders): Omit<RelayDownload, "body"> | undefined {
  const [, first, last] =
    /^bytes (\d+)-(\d+)\/(?:\d+|\*)$/.exec(headers["content-range"] ?? "") ?? [];
  const [startByte, bodyBytes] = [Number(first), Number(last) - Number(first) + 1];
  if (!(bodyBytes > 0) || (lengthIn(headers) ?? bodyBytes) !== bodyBytes) return undefined;
  return { startByte, bodyBytes };
}

function lengthIn(headers: IncomingHttpHeaders): number | undefined {
  const length = headers["content-length"];
  return length === undefined ? undefined : Number(length);
}

async function readRefusal(answer: IncomingMessage, host: string): Promise<string> {
  try {
    return await readBody(answer, MAX_JSON_BYTES, host);
  } catch (error) {
    throw error instanceof RelayUnreachableError ? error : networkTrouble(error, host);
  }
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
