import { formatRawAnswer } from "../../core/protocol/raw-answer.ts";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { FastifyReply, FastifyRequest } from "fastify";
import {
  MAX_PACKAGE_BYTES,
  RETRY_FULL_SECONDS,
  RETRY_NOT_READY_SECONDS,
} from "../../core/limits.ts";
import { errorAnswer, Refusal, refusal } from "../../core/protocol/refusal.ts";
import { sentenceOf } from "../../core/text/sentence-of.ts";
import { isStoreError, partsOf, StoreFullError } from "../domain/ports.ts";
import type { NotReady } from "../domain/upkeep/check-health.ts";
import { takeOver } from "./send-answer.ts";
import type { Duplex } from "node:stream";
import type { Socket } from "node:net";
import { commonHeaders } from "./common-headers.ts";
import { COOKIE_PAGE_HEADERS, cookiePage } from "../../core/messages/cookie-page.ts";
import { nodeHttp } from "../../program/node-http.ts";

/** Time for which the rest of a refused request is read, so that the sender gets the answer (rule U1). */
const DRAIN_MS = 5000;

/** The usual `Retry-After` of a status, unless the refusal has its own. */
const RETRY_AFTER_SECONDS: Readonly<Record<number, number>> = {
  503: RETRY_NOT_READY_SECONDS,
  507: RETRY_FULL_SECONDS,
};

/** The error of a relay whose database or sound store doesn't respond, or accepts no change. */
export class StoresAwayError extends Error {
  override readonly name = "StoresAwayError";
  readonly why: NotReady;
  readonly notices: readonly string[];

  /** @param notices the relay's health, in sentences */
  constructor(
    { reason, part, cause }: NotReady & { readonly cause: unknown },
    notices: readonly string[],
  ) {
    super(sentenceOf(cause), { cause });
    this.why = { reason, part };
    this.notices = notices;
  }
}

/** Converts any error to a refusal that reveals no internals (rule E2). */
export function toRefusal(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  if (error instanceof StoresAwayError) {
    const { why, notices } = error;
    return refusal("NOT_READY", {}, { body: { ...why, notices } });
  }
  // Several files may fail for one reason.
  const parts = partsOf(error);
  if (parts.every((part) => part instanceof StoreFullError)) return refusal("DISK_FULL");
  if (parts.every(isStoreError)) return refusal("NOT_READY");
  return refusal("INTERNAL");
}

/** Returns the body of an error (rules E1, E3). */
export function errorJson(refused: Refusal): string {
  return JSON.stringify(errorAnswer(refused));
}

/** Returns the headers that a refusal adds. */
export function errorHeaders({ status, extras }: Refusal): Record<string, string> {
  const seconds = extras.retryAfterSeconds ?? RETRY_AFTER_SECONDS[status];
  return {
    "content-type": "application/json; charset=utf-8",
    ...extras.headers,
    ...(status === 401 && { "www-authenticate": "Bearer" }),
    ...(seconds !== undefined && { "retry-after": String(Math.max(1, Math.ceil(seconds))) }),
  };
}

/** An answer that doesn't depend on the request's body. */
export interface EarlyAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Gets, once, the number of body bytes that arrived (rule L9). */
  readonly charge: (bytes: number) => void;
}

/** Answers with a refusal. */
export function answerRefusal(
  request: FastifyRequest,
  reply: FastifyReply,
  { refused, charge }: Pick<EarlyAnswer, "charge"> & { readonly refused: Refusal },
): void {
  const { status } = refused;
  const body = errorJson(refused);
  answerEarly(request, reply, { status, headers: errorHeaders(refused), body, charge });
}

/**
 * Answers. If the request body is still arriving, the answer goes out at once, and the rest of the body is read and
 * discarded for a while before the connection closes. Closing it at once would lose the answer while the sender still
 * writes.
 */
export function answerEarly(
  request: FastifyRequest,
  reply: FastifyReply,
  { status, headers, body, charge }: EarlyAnswer,
): void {
  reply.code(status).headers(headers);
  if (isBodyRead(request.raw)) {
    charge(Number(request.headers["content-length"] ?? 0));
    void reply.send(body);
    return;
  }
  const raw = takeOver(reply);
  raw.setHeader("connection", "close").setHeader("content-length", Buffer.byteLength(body));
  raw.write(body);
  drainThenClose(request.raw, raw, charge);
}

function isBodyRead(raw: IncomingMessage): boolean {
  const { headers } = raw;
  const hasBody =
    headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
  return !hasBody || raw.complete || raw.destroyed;
}

function drainThenClose(
  raw: IncomingMessage,
  answer: ServerResponse,
  charge: (bytes: number) => void,
): void {
  let drained = 0;
  const close = () => {
    clearTimeout(timer);
    charge(drained);
    raw.off("data", count).off("end", close).off("close", close);
    answer.end();
  };
  const count = (piece: Uint8Array) => {
    drained += piece.byteLength;
    if (drained > MAX_PACKAGE_BYTES) close();
  };
  const timer = setTimeout(close, DRAIN_MS);
  raw.on("data", count).on("end", close).on("close", close);
  raw.resume();
}

/** Time after which the sender is disconnected if it doesn't close the connection: Node has no time limit for these. */
const CLOSING_MS = 2000;

/**
 * Answers on the raw connection, where there is no response object, and ends it.
 * @param headers those of every answer, and those of the body
 * @param body for a browser, in place of the JSON; `headers` has its type
 */
export function endWithRefusal(
  connection: Duplex,
  refused: Refusal,
  headers: Readonly<Record<string, string>>,
  body = errorJson(refused),
): void {
  const status = `${refused.status} ${nodeHttp.STATUS_CODES[refused.status] ?? ""}`;
  const length = { "content-length": Buffer.byteLength(body) };
  const all = { ...errorHeaders(refused), ...headers, ...length };
  connection.end(formatRawAnswer(status, all, body));
  setTimeout(() => connection.destroy(), CLOSING_MS).unref();
}

/**
 * Answers a request that Node could not parse as HTTP, if that is still possible (rule E1). If an earlier answer on the
 * connection is still pending, only closes the connection, since two answers would interleave.
 */
export function answerMalformed(
  error: MalformedError,
  socket: Socket,
  { isAnswering, requestId }: { readonly isAnswering: boolean; readonly requestId: string },
): void {
  // More of a request that was answered already: ending the connection now could lose the answer.
  if (socket.writableEnded) return;
  if (error.code === "ECONNRESET" || !socket.writable || isAnswering) {
    socket.destroy();
    return;
  }
  const refused = refusalOf(error.code);
  const isTooLarge = refused.code === "HEADERS_TOO_LARGE";
  const page = isTooLarge ? cookiePage(String(error.rawPacket)) : undefined;
  const headers = commonHeaders("/", requestId);
  endWithRefusal(socket, refused, { ...headers, ...(page && COOKIE_PAGE_HEADERS) }, page);
}

/** The error of Node's parser, with the bytes that it read last. */
interface MalformedError extends NodeJS.ErrnoException {
  readonly rawPacket?: unknown;
}

function refusalOf(code: string | undefined): Refusal {
  switch (code) {
    case "HPE_HEADER_OVERFLOW":
      return refusal("HEADERS_TOO_LARGE");
    case "ERR_HTTP_REQUEST_TIMEOUT":
      return refusal("REQUEST_TOO_SLOW");
    case undefined:
    default:
      return refusal("REQUEST_MALFORMED");
  }
}
