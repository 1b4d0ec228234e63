import type { IncomingMessage, ServerResponse } from "node:http";
import type { FastifyReply, FastifyRequest } from "fastify";
import { MAX_PACKAGE_BYTES } from "../../core/limits.ts";
import { Refusal, refusal } from "../../core/protocol/refusal.ts";
import { StoreFullError } from "../domain/ports.ts";
import { takeOver } from "./take-over.ts";

/** How long, and how much, is still read of a refused request, so that its sender gets to read the answer (rule U1). */
const DRAIN_MS = 5000;

/** The database or the sound store does not answer. */
export class StoresAwayError extends Error {
  override readonly name = "StoresAwayError";
}

/** Any error as a refusal that says nothing of the inside (rule E2). */
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

/** The headers that a refusal brings along. */
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
 * Answers with a refusal. When the request's body is still on its way the answer goes out at once, and
 * what follows is read and thrown away for a while before the connection is closed: closing it under a
 * sender that writes would lose the answer.
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
