import type { FastifyReply, FastifyRequest } from "fastify";
import type { Logger } from "pino";
import { MAX_CLIENT_LENGTH } from "../../core/limits.ts";

/** A slower call is logged even if it succeeds, except a long poll, which is slow by design. */
const SLOW_MS = 1000;

/**
 * Logs one finished call: refusals, changes and slow calls at `info` (5xx at `error`), other reads at `debug`
 * (rule E2). Logs only the path, never the query, a header or a body (rule A1).
 */
export function logCall(log: Logger, request: FastifyRequest, reply: FastifyReply): void {
  const { statusCode, elapsedTime } = reply;
  const isPlainRead = request.method === "GET" && statusCode < 400 && !isSlow(request, elapsedTime);
  const level = isPlainRead ? "debug" : statusCode >= 500 ? "error" : "info";
  if (!log.isLevelEnabled(level)) return;
  log[level](
    {
      request_id: request.id,
      method: request.method,
      path: pathOf(request.url),
      status: statusCode,
      ms: Math.round(elapsedTime * 10) / 10,
      client: clientOf(request),
    },
    "call",
  );
}

function isSlow(request: FastifyRequest, elapsedMs: number): boolean {
  return elapsedMs > SLOW_MS && !isLongPoll(request);
}

/** Whether a call asked to be held (rule S8). */
export function isLongPoll({ url }: FastifyRequest): boolean {
  return url.includes("wait=");
}

/** The path of a URL without its query. */
export function pathOf(url: string): string {
  const end = url.indexOf("?");
  return end < 0 ? url : url.slice(0, end);
}

/** `X-Service-Client`, sanitized and truncated (rule E4). */
function clientOf(request: FastifyRequest): string | undefined {
  const client = request.headers["x-service-client"];
  if (typeof client !== "string") return undefined;
  return client.replaceAll(/\p{C}/gu, " ").slice(0, MAX_CLIENT_LENGTH);
}
