import type { IncomingMessage } from "node:http";
import { MAX_JSON_BYTES } from "../../core/limits.ts";
import type { Timers } from "../../core/timers.ts";
import { isJsonTooComplex } from "../../core/text/is-json-too-complex.ts";
import { LEAST_BODY_BYTES } from "../../core/quotas/budgets.ts";
import { JSON_SIZE } from "../../core/text/format-limit.ts";
import { type Refusal, refusal } from "../../core/protocol/refusal.ts";
import type { Permit } from "../domain/admission/budgets.ts";
import { FORM, wrappingOfJson } from "../../core/text/find-wrapping.ts";
import { type Call, header } from "./call.ts";

/** The sender disconnected; there is nobody to answer. */
export class ConnectionLost extends Error {
  override readonly name = "ConnectionLost";
}

/**
 * Reads a body of at most `MAX_JSON_BYTES`, regardless of its content type (rules M1, M10).
 * @throws {Refusal} 429 TOO_MUCH_AT_ONCE and 503 BUSY (rule L6); 413 BODY_TOO_LARGE, 408 when the whole body takes longer than the idle limit
 */
export async function readBody(call: Call): Promise<Buffer> {
  const { request, context, caller } = call;
  if (Number(request.headers["content-length"] ?? 0) > MAX_JSON_BYTES) throw bodyTooLarge();
  const ending = new AbortController();
  const end = (why: Refusal) => ending.abort(why);
  using held = context.admission.take("bodies", caller, LEAST_BODY_BYTES, end);
  return await readWhole(call, held, ending.signal);
}

/** Asks a sender for the body that it holds back until the relay wants it (rule E6). */
export function askForBody({ request, reply }: Pick<Call, "request" | "reply">): void {
  if (request.headers.expect === undefined) return;
  delete request.headers.expect;
  reply.raw.writeContinue();
}

async function readWhole(call: Call, held: Permit, ended: AbortSignal): Promise<Buffer> {
  const { request, idleMs, timers } = call;
  askForBody(call);
  const reader = new BodyReader(request.raw, timers, ended);
  const endsAt = timers.now() + idleMs;
  const pieces: Buffer[] = [];
  let sizeBytes = 0;
  for (;;) {
    const piece = await reader.next(endsAt - timers.now());
    if (piece === "stalled") throw refusal("REQUEST_TOO_SLOW");
    if (piece === null) return Buffer.concat(pieces, sizeBytes);
    sizeBytes += piece.byteLength;
    if (sizeBytes > MAX_JSON_BYTES) throw bodyTooLarge();
    held.grow(Math.max(0, Math.min(piece.byteLength, sizeBytes - LEAST_BODY_BYTES)));
    held.moved(piece.byteLength);
    pieces.push(piece);
  }
}

function bodyTooLarge(): Refusal {
  return refusal("BODY_TOO_LARGE", { max: JSON_SIZE });
}

/** Reads a JSON body. @throws {Refusal} what `parseJson` throws, also without a body; 413; 408 */
export async function readJson(call: Call): Promise<unknown> {
  return parseJson(call, await readBody(call));
}

/** Reads a JSON body; undefined if it is empty. */
export async function readOptionalJson(call: Call): Promise<unknown> {
  const body = await readBody(call);
  return body.byteLength === 0 ? undefined : parseJson(call, body);
}

/**
 * Parses a call's body.
 * @throws {Refusal} 400 NOT_JSON, also for bytes that are not UTF-8, JSON_IN_FORM and JSON_ENCODED (rule M11);
 * 422 JSON_TOO_COMPLEX (rule L9)
 */
export function parseJson(call: Call, body: Uint8Array): unknown {
  const wrapping = wrappingOfJson(body);
  if (wrapping !== undefined) throw jsonWrapped(wrapping);
  if (isJsonTooComplex(body)) throw refusal("JSON_TOO_COMPLEX");
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body));
  } catch {
    const encoding = body.byteLength === 0 ? undefined : contentEncoding(call);
    throw encoding === undefined ? refusal("NOT_JSON") : jsonWrapped(encoding);
  }
}

function jsonWrapped(wrapping: string): Refusal {
  return wrapping === FORM
    ? refusal("JSON_IN_FORM")
    : refusal("JSON_ENCODED", { encoding: wrapping });
}

/** Returns what the body is compressed with, by its header; undefined if it says nothing. */
export function contentEncoding(call: Call): string | undefined {
  const value = header(call, "content-encoding") ?? "";
  const name = /\b(?:br|compress|deflate|gzip|zstd)\b/i.exec(value)?.[0].toLowerCase();
  return name === "br" ? "Brotli" : name;
}

/** Reads a request body piece by piece. Keeps the connection intact, so that it can still carry an answer. */
export class BodyReader {
  readonly #raw: IncomingMessage;
  readonly #timers: Timers;
  readonly #ended: AbortSignal | undefined;
  #wake = () => {};

  /** @param ended ends the reading, even while it waits for a silent sender */
  constructor(raw: IncomingMessage, timers: Timers, ended?: AbortSignal) {
    this.#raw = raw;
    this.#timers = timers;
    this.#ended = ended;
    // One listener for the whole body: one for each piece would slow uploads down.
    ended?.addEventListener("abort", () => this.#wake(), { once: true });
  }

  /**
   * The next piece: null at the end, `stalled` when nothing arrives for `waitMs`.
   * @throws {ConnectionLost} when the sender disconnects before the end; the reason with which `ended` aborted
   */
  async next(waitMs: number): Promise<Buffer | null | "stalled"> {
    for (;;) {
      this.#ended?.throwIfAborted();
      const piece: unknown = this.#raw.read();
      if (Buffer.isBuffer(piece)) return piece;
      if (this.#raw.readableEnded) return null;
      if (this.#raw.destroyed) throw new ConnectionLost("The sender went away.");
      if (!(await this.#isReadable(waitMs))) return "stalled";
    }
  }

  #isReadable(waitMs: number): Promise<boolean> {
    const raw = this.#raw;
    return new Promise((resolve) => {
      const settle = (readable: boolean) => () => {
        cancel();
        raw.off("readable", onReadable).off("end", onReadable).off("close", onReadable);
        this.#wake = () => {};
        resolve(readable);
      };
      const onReadable = settle(true);
      this.#wake = onReadable;
      const cancel = this.#timers.after(Math.max(0, waitMs), settle(false));
      raw.on("readable", onReadable).on("end", onReadable).on("close", onReadable);
    });
  }
}
