import { Buffer } from "node:buffer";
import type * as http from "node:http";
import { RelayUnreachableError } from "./relay-errors.ts";

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

/**
 * Reads a body as text.
 * @throws {RelayUnreachableError} when the body exceeds `maxBytes`; other errors come from the network
 */
export async function readBody(
  answer: http.IncomingMessage,
  maxBytes: number,
  host: string,
): Promise<string> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of answer as AsyncIterable<Buffer>) {
    size += piece.length;
    if (size > maxBytes) {
      throw new RelayUnreachableError(`The answer from ${host} is too long.`);
    }
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString("utf8");
}
