import type { IncomingMessage, ServerResponse } from "node:http";
import type { FastifyReply, FastifyRequest } from "fastify";
import { MAX_PACKAGE_BYTES } from "../../core/limits.ts";
import { Refusal, refusal } from "../../core/protocol/refusal.ts";
import { StoreFullError } from "../domain/ports.ts";
import { takeOver } from "./take-over.ts";

/** How much of a refused request is read, and how long, so that the sender gets the answer (rule U1). */
const DRAIN_MS = 5000;

/** The database or the sound store does not respond. */
export class StoresAwayError extends Error {
  override readonly name = "StoresAwayError";
}

/** Converts any error to a refusal that reveals no internals (rule E2). */
export function toRefusal(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  if (error instanceof StoreFullError) return refusal("DISK_FULL");
  if (error instanceof StoresAwayError) return refusal("NOT_READY");
  return refusal("INTERNAL");
}

/** The body of an error (rules E1, E3). */
export function errorJson({ message, code, extras }: Refusal): string {
  return JSON.stringify({ error: message, code, ...extras.body });
}

/** The headers a refusal adds. */
export function errorHeaders({ status, extras }: Refusal): Record<string, string> {
  return {
    "content-type": "application/json; charset=utf-8",
    ...(status === 401 && { "www-authenticate": "Bearer" }),
    ...(extras.retryAfterSeconds !== undefined && {
      "retry-after": String(Math.max(1, Math.ceil(extras.retryAfterSeconds))),
    }),
  };
}

/**
 * Answers with a refusal. If the request body is still arriving, the answer goes out at once, and the rest of
 * the body is read and discarded for a while before the connection closes. Closing it at once would lose the
 * answer while the sender still writes.
 */
export function answerRefusal(
  request: FastifyRequest,
  reply: FastifyReply,
  refused: Refusal,
): void {
  const body = errorJson(refused);
  reply.code(refused.status).headers(errorHeaders(refused));
  if (isBodyRead(request.raw)) {
    void reply.send(body);
    return;
  }
  const raw = takeOver(reply);
  raw.setHeader("connection", "close").setHeader("content-length", Buffer.byteLength(body));
  raw.write(body);
  drainThenClose(request.raw, raw);
}

function isBodyRead(raw: IncomingMessage): boolean {
  const { headers } = raw;
  const hasBody =
    headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
  return !hasBody || raw.complete || raw.destroyed;
}

function drainThenClose(raw: IncomingMessage, answer: ServerResponse): void {
  let drained = 0;
  const close = () => {
    clearTimeout(timer);
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
