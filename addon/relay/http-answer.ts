import { Buffer } from "node:buffer";
import type * as http from "node:http";
import { clearTimeout, setTimeout } from "node:timers";
import { isJsonTooComplex } from "../../core/text/is-json-too-complex.ts";
import { parseJson } from "../../core/text/parse-json.ts";
import { RelayUnreachableError } from "../../core/importer/relay-errors.ts";

/** Watches a request and calls `giveUp` on timeout. */
export type Watch = (request: http.ClientRequest, giveUp: () => void) => void;

/** Sends a request; resolves when its answer begins. */
export function answerTo(
  request: http.ClientRequest,
  text: string | undefined,
  watch: Watch,
): Promise<http.IncomingMessage> {
  return new Promise((resolve, reject) => {
    let current: http.ClientRequest | http.IncomingMessage = request;
    request.once("response", (answer) => {
      current = answer;
      resolve(answer);
    });
    request.on("error", reject);
    watch(request, () => current.destroy(timedOut()));
    request.end(text);
  });
}

function timedOut(): Error {
  return Object.assign(new Error("no answer in time"), { code: "ETIMEDOUT" });
}

/** Bytes of a relay's answer for each value and key in it; those of a package take more. */
const BYTES_PER_VALUE = 8;

export interface JsonBody {
  readonly maxBytes: number;
  /** Host and port, for sentences. */
  readonly host: string;
  /** True for an answer of this user's own importer, which may have any number of values; false by default. */
  readonly isTrusted?: boolean;
}

/**
 * Reads a body as JSON (rule I7); undefined where it isn't valid.
 * @throws {RelayUnreachableError} when it has more than `maxBytes`, or values that would take much more memory than
 *   that; other errors come from the network
 */
export async function readJson(
  answer: http.IncomingMessage,
  { maxBytes, host, isTrusted = false }: JsonBody,
): Promise<unknown> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of answer as AsyncIterable<Buffer>) {
    size += piece.length;
    if (size > maxBytes) throw tooLong(host);
    pieces.push(piece);
  }
  const body = Buffer.concat(pieces);
  if (!isTrusted && isJsonTooComplex(body, maxBytes / BYTES_PER_VALUE)) throw tooLong(host);
  return parseJson(body.toString("utf8"));
}

function tooLong(host: string): RelayUnreachableError {
  return new RelayUnreachableError(`The answer from ${host} is too long.`);
}

const MAX_IGNORED_BYTES = 65_536;
const IGNORED_LIMIT_MS = 5000;

/** Reads a body that nobody needs, so that its connection can be used again; ends the connection of a long or slow one. */
export function ignoreBody(answer: http.IncomingMessage): void {
  let size = 0;
  const timer = setTimeout(() => answer.destroy(), IGNORED_LIMIT_MS).unref();
  answer.on("data", (piece: Buffer) => {
    size += piece.length;
    if (size > MAX_IGNORED_BYTES) answer.destroy();
  });
  answer.on("error", () => {});
  answer.once("close", () => clearTimeout(timer));
}
