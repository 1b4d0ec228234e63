import type { ServerResponse } from "node:http";
import { Readable } from "node:stream";
import type { FastifyReply, FastifyRequest } from "fastify";
import { CONNECTION_BUFFER_BYTES, SMALL_ANSWER_BYTES } from "../../core/quotas/budgets.ts";
import type { Admission } from "../domain/admission/budgets.ts";
import type { Answer } from "./call.ts";
import { addCommonHeaders, headersOf } from "./common-headers.ts";
import { callerOf } from "./auth/callers.ts";
import type { Socket } from "node:net";
import { freeBytes } from "../../core/audio/byte-pieces.ts";

/**
 * Sends an answer. A large one, and one that waits for an earlier one on its connection, is held against its caller's
 * budget until the reader has taken it (rule L6).
 * @throws {Refusal} 429 TOO_MUCH_AT_ONCE, 503 BUSY
 */
export function sendAnswer(
  admission: Admission,
  request: FastifyRequest,
  reply: FastifyReply,
  answer: Answer,
): void {
  if (!("json" in answer || "body" in answer || "text" in answer)) {
    reply.code(answer.status).send();
    return;
  }
  const { status, contentType, text, headers } = textOf(answer);
  const { raw } = reply;
  // A character has at most 3 bytes.
  if (!isQueued(raw) && text.length * 3 <= SMALL_ANSWER_BYTES) {
    // Nearly every answer. Fastify's steps to the same end cost time in each call.
    reply.hijack();
    const head = headersOf(request, reply);
    if (headers !== undefined) Object.assign(head, headers);
    head["content-type"] = contentType;
    head["content-length"] = Buffer.byteLength(text);
    raw.writeHead(status, head).end(text);
    return;
  }
  const bytes = Buffer.from(text);
  const held = admission.take("answers", callerOf(request), bytes.byteLength, () => raw.destroy());
  raw.once("close", () => held[Symbol.dispose]());
  reply
    .code(status)
    .headers({ ...headers })
    .header("content-type", contentType)
    .header("content-length", bytes.byteLength)
    .send(
      Readable.from(
        piecesOf(bytes, () => held.moved()),
        { highWaterMark: 1 },
      ),
    );
}

/** Checks whether an answer waits for an earlier one. Then it has no connection yet, and all of it stays in memory. */
export function isQueued({ socket }: ServerResponse): boolean {
  return socket === null;
}

function textOf(answer: Exclude<Answer, { readonly status: 204 }>) {
  if ("text" in answer) return answer;
  const text = "json" in answer ? answer.json : JSON.stringify(answer.body);
  return { status: answer.status, text, contentType: "application/json; charset=utf-8" };
}

/**
 * Cuts an answer into pieces. A piece is written only when the connection takes it, which shows that its reader reads.
 */
function* piecesOf(bytes: Buffer, onTaken: () => void): Iterable<Buffer> {
  for (let start = 0; start < bytes.byteLength; start += CONNECTION_BUFFER_BYTES) {
    onTaken();
    yield bytes.subarray(start, start + CONNECTION_BUFFER_BYTES);
  }
}

/** Takes the response over from Fastify, with its status and headers; nothing has been sent yet. */
export function takeOver(reply: FastifyReply): ServerResponse {
  addCommonHeaders(reply.request, reply);
  reply.hijack();
  const { raw } = reply;
  raw.statusCode = reply.statusCode;
  for (const [name, value] of Object.entries(reply.getHeaders())) {
    if (value !== undefined) raw.setHeader(name, value);
  }
  return raw;
}

interface Writing {
  readonly connection: Socket;
  /** Called with the number of bytes that are about to be written. */
  readonly onPiece?: (bytes: number) => void;
}

/**
 * Writes as fast as the other side reads (backpressure). Ends early when the other side disconnects, also while
 * the response waits for an earlier one on the same connection.
 */
export async function writePieces(
  raw: ServerResponse,
  bytes: AsyncIterable<Uint8Array>,
  { connection, onPiece = () => {} }: Writing,
): Promise<void> {
  const isGone = () => raw.destroyed || connection.destroyed;
  for await (const piece of bytes) {
    if (isGone()) return;
    onPiece(piece.byteLength);
    const hasRoom = raw.write(piece, () => freeBytes(piece));
    if (!hasRoom) await eventOrGone(raw, "drain", connection);
  }
  if (isGone()) return;
  const finished = eventOrGone(raw, "finish", connection);
  raw.end();
  await finished;
}

/**
 * Waits for an event, or until the other side is gone. A response that waits for an earlier one has no connection yet,
 * so the connection's own end counts, too.
 */
function eventOrGone(
  raw: ServerResponse,
  event: "drain" | "finish",
  connection: Socket,
): Promise<void> {
  return new Promise((resolve) => {
    const settle = () => {
      raw.off(event, settle).off("close", settle);
      connection.off("close", settle);
      resolve();
    };
    raw.on(event, settle).on("close", settle);
    connection.on("close", settle);
  });
}
