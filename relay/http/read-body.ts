import type { IncomingMessage } from "node:http";
import { MAX_JSON_BYTES } from "../../core/limits.ts";
import { JSON_SIZE } from "../../core/text/format-limit.ts";
import { type Refusal, refusal } from "../../core/protocol/refusal.ts";
import type { Call } from "./call.ts";

/** The sender disconnected; there is nobody to answer. */
export class ConnectionLost extends Error {
  override readonly name = "ConnectionLost";
}

/**
 * Reads a body of at most `MAX_JSON_BYTES`, regardless of its content type (rules M1, M10).
 * @throws {Refusal} 413 BODY_TOO_LARGE, 408 when the whole body takes longer than the idle limit
 */
export async function readBody({ request, idleMs }: Call): Promise<Buffer> {
  if (Number(request.headers["content-length"] ?? 0) > MAX_JSON_BYTES) throw bodyTooLarge();
  const endsAt = Date.now() + idleMs;
  const pieces: Buffer[] = [];
  let sizeBytes = 0;
  for (;;) {
    const piece = await nextPiece(request.raw, endsAt - Date.now());
    if (piece === "stalled") throw refusal("REQUEST_TOO_SLOW");
    if (piece === null) return Buffer.concat(pieces, sizeBytes);
    sizeBytes += piece.byteLength;
    if (sizeBytes > MAX_JSON_BYTES) throw bodyTooLarge();
    pieces.push(piece);
  }
}

function bodyTooLarge(): Refusal {
  return refusal("BODY_TOO_LARGE", { max: JSON_SIZE });
}

/** Reads a JSON body. @throws {Refusal} 400 NOT_JSON, also without a body; 413; 408 */
export async function readJson(call: Call): Promise<unknown> {
  return parseJson(await readBody(call));
}

/** Reads a JSON body; undefined if it is empty. */
export async function readOptionalJson(call: Call): Promise<unknown> {
  const body = await readBody(call);
  return body.byteLength === 0 ? undefined : parseJson(body);
}

/** @throws {Refusal} 400 NOT_JSON, also for bytes that are not UTF-8 */
export function parseJson(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body));
  } catch {
    throw refusal("NOT_JSON");
  }
}

/**
 * The next piece of a request body: null at its end, `stalled` when nothing arrives for `waitMs`. Keeps the
 * connection intact, so that it can still carry an answer.
 * @throws {ConnectionLost} when the sender disconnects before the end
 */
export async function nextPiece(
  raw: IncomingMessage,
  waitMs: number,
): Promise<Buffer | null | "stalled"> {
  for (;;) {
    const piece: unknown = raw.read();
    if (Buffer.isBuffer(piece)) return piece;
    if (raw.readableEnded) return null;
    if (raw.destroyed) throw new ConnectionLost("The sender went away.");
    if (!(await isReadable(raw, waitMs))) return "stalled";
  }
}

function isReadable(raw: IncomingMessage, waitMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    const settle = (readable: boolean) => () => {
      clearTimeout(timer);
      raw.off("readable", onReadable).off("end", onReadable).off("close", onReadable);
      resolve(readable);
    };
    const onReadable = settle(true);
    const timer = setTimeout(settle(false), Math.max(0, waitMs));
    raw.on("readable", onReadable).on("end", onReadable).on("close", onReadable);
  });
}
