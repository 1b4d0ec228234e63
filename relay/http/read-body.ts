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
  using reader = new BodyReader(request.raw, timers, ended);
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

/**
 * Reads a request body piece by piece as it arrives. Keeps the connection intact, so that it can still carry an answer.
 * Dispose it: what it hasn't returned is left to the next reader.
 */
export class BodyReader implements Disposable {
  readonly #raw: IncomingMessage;
  readonly #timers: Timers;
  readonly #ended: AbortSignal | undefined;
  /** The pieces that came while nobody waited. */
  readonly #unread: Buffer[] = [];
  #wake: ((isStalled: boolean) => void) | undefined;
  #stallsAt = 0;
  #cancelTimer: (() => void) | undefined;
  readonly #take = (piece: Buffer) => {
    this.#unread.push(piece);
    if (this.#wake !== undefined) this.#wake(false);
    // Otherwise the body's end could come before the next reader does.
    else this.#raw.pause();
  };
  readonly #look = () => this.#wake?.(false);

  /** @param ended ends the reading, even while it waits for a silent sender */
  constructor(raw: IncomingMessage, timers: Timers, ended?: AbortSignal) {
    this.#raw = raw;
    this.#timers = timers;
    this.#ended = ended;
    // One listener each for the whole body: one for each piece would slow uploads down.
    raw.on("data", this.#take).on("end", this.#look).on("close", this.#look);
    ended?.addEventListener("abort", this.#look, { once: true });
  }

  /**
   * The next piece: null at the end, `stalled` when nothing arrives for `waitMs`.
   * @throws {ConnectionLost} when the sender disconnects before the end; the reason with which `ended` aborted
   */
  async next(waitMs: number): Promise<Buffer | null | "stalled"> {
    this.#stallsAt = this.#timers.now() + waitMs;
    for (;;) {
      this.#ended?.throwIfAborted();
      const piece = this.#unread.shift();
      if (piece !== undefined) return piece;
      if (this.#raw.readableEnded) return null;
      if (this.#raw.destroyed) throw new ConnectionLost("The sender went away.");
      if (this.#raw.readableFlowing !== true) this.#raw.resume();
      if (await this.#isStalled()) return "stalled";
    }
  }

  [Symbol.dispose](): void {
    this.#cancelTimer?.();
    this.#ended?.removeEventListener("abort", this.#look);
    const raw = this.#raw.pause();
    raw.off("data", this.#take).off("end", this.#look).off("close", this.#look);
    if (raw.readableEnded) return;
    for (const piece of this.#unread.toReversed()) raw.unshift(piece);
  }

  /** Waits for anything to happen. Resolves with true if nothing does in time. */
  #isStalled(): Promise<boolean> {
    this.#cancelTimer ??= this.#startTimer();
    return new Promise((resolve) => {
      this.#wake = (isStalled) => {
        this.#wake = undefined;
        resolve(isStalled);
      };
    });
  }

  /** Starts the only timer. It outlives the pieces: when it is over, it looks whether the last one is long enough ago. */
  #startTimer(): () => void {
    const waitMs = this.#stallsAt - this.#timers.now();
    return this.#timers.after(Math.max(0, waitMs), () => {
      this.#cancelTimer = undefined;
      if (this.#wake === undefined) return;
      if (this.#timers.now() >= this.#stallsAt) this.#wake(true);
      else this.#cancelTimer = this.#startTimer();
    });
  }
}
