import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { isJsonTooComplex } from "../../core/text/is-json-too-complex.ts";
import { parseJson } from "../../core/text/parse-json.ts";
import { AssertionFailure } from "./assertion-failure.ts";
import type { Contract } from "./contract.ts";

/** A relay's answer. */
export interface Answer {
  readonly method: string;
  readonly path: string;
  /** Method and path, for sentences. */
  readonly asked: string;
  /** The page that called. */
  readonly origin?: string;
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
  /** The parsed body; undefined if it isn't JSON, or nests too deeply. */
  readonly json: unknown;
  /** The contract by which it is judged. */
  readonly contract: Contract;
  /** Addresses of the connection's two ends. */
  readonly ends?: { readonly local: string; readonly remote: string };
}

/** True for a status of 2xx. */
export function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

/** No answer of the contract is longer, except a download. */
export const MAX_ANSWER_BYTES = 2 ** 21;
/** No answer of the contract has more values: a byte of JSON can take twenty of memory. */
const MAX_VALUES = 200_000;
/** A piece of a byte takes a hundred times its room. */
const MOST_PIECES = 4096;

/** The most bytes to read of an answer. */
export interface AnswerCap {
  readonly bytes: number;
  /** Set to cut a longer answer instead of failing. */
  readonly isCut: boolean;
}

/**
 * Reads a body to its end or to the cap.
 * @throws {AssertionFailure} if it is longer, and isn't to be cut
 */
export async function readBody(response: IncomingMessage, cap: AnswerCap): Promise<Buffer> {
  let pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of response as AsyncIterable<Buffer>) {
    length += piece.length;
    pieces.push(piece);
    if (pieces.length >= MOST_PIECES) pieces = [Buffer.concat(pieces)];
    if (length <= cap.bytes) continue;
    if (cap.isCut) break;
    throw new AssertionFailure(`the answer has more than ${cap.bytes} bytes.`);
  }
  return Buffer.concat(pieces);
}

/** Parses an answer's JSON; undefined if it is none, or deeper or of more values than any answer of a relay. */
export function parseAnswer(bytes: Uint8Array): unknown {
  return isJsonTooComplex(bytes, MAX_VALUES) ? undefined : parseJson(Buffer.from(bytes).toString());
}

/** Reads an answer that came as text on a plain connection. */
export function readRawAnswer(text: string): Answer {
  const [head = "", body = ""] = text.split(/\r\n\r\n([\s\S]*)/);
  const [first = "", ...lines] = head.split("\r\n");
  const headers: IncomingHttpHeaders = {};
  for (const line of lines) {
    const at = line.indexOf(":");
    headers[line.slice(0, at).toLowerCase()] = line.slice(at + 1).trim();
  }
  const bytes = Buffer.from(body);
  return {
    method: "",
    path: "",
    asked: "A request that is no HTTP",
    status: Number(first.split(" ")[1] ?? 0),
    headers,
    bytes,
    json: parseAnswer(bytes),
    contract: "whole",
  };
}
