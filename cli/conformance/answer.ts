import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
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

/** No answer of the contract is longer, except a download. */
export const MAX_ANSWER_BYTES = 2 ** 21;
/** No answer of the contract nests deeper. */
const MAX_LEVELS = 64;

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
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of response) {
    const bytes = Buffer.from(piece);
    length += bytes.length;
    pieces.push(bytes);
    if (length <= cap.bytes) continue;
    if (cap.isCut) break;
    throw new AssertionFailure(`the answer has more than ${cap.bytes} bytes.`);
  }
  return Buffer.concat(pieces);
}

/** Parses an answer's JSON; undefined if it is none or nests deeper than any answer of a relay. */
export function parseAnswer(text: string): unknown {
  const json = parseJson(text);
  return isShallow(json) ? json : undefined;
}

/** Looks level by level: a call for each level could overflow the stack. */
function isShallow(json: unknown): boolean {
  let level: readonly unknown[] = [json];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > MAX_LEVELS) return false;
    level = level.flatMap((value) =>
      typeof value === "object" && value !== null ? Object.values(value) : [],
    );
  }
  return true;
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
  return {
    method: "",
    path: "",
    asked: "A request that is no HTTP",
    status: Number(first.split(" ")[1] ?? 0),
    headers,
    bytes: Buffer.from(body),
    json: parseAnswer(body),
    contract: "whole",
  };
}
