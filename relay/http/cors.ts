import type { FastifyReply, FastifyRequest } from "fastify";
import { RELAY_MARK } from "../../core/protocol/relay-mark.ts";
import { formatUploadLimit, UPLOAD_HEADERS } from "../../core/protocol/upload-draft.ts";

/** Headers of every answer outside `/importer/*` (rule C1). */
export const CORS_HEADERS = {
  "access-control-allow-origin": "*",
  "access-control-expose-headers":
    `Retry-After, RateLimit, RateLimit-Policy, WWW-Authenticate, X-Request-Id, ${RELAY_MARK.name}, ` +
    "Upload-Offset, Upload-Complete, Upload-Limit, Upload-Length",
} as const;

const PREFLIGHT_HEADERS = {
  "access-control-allow-methods": "GET, HEAD, POST, PUT, PATCH, DELETE",
  // `*` lets the headers of tracing tools pass; it never includes `Authorization`.
  "access-control-allow-headers":
    "Authorization, *, Content-Type, X-Service-Client, Idempotency-Key, " +
    "Upload-Offset, Upload-Complete, Upload-Length, Upload-Draft-Interop-Version",
  "access-control-max-age": "86400",
} as const;

/**
 * Returns the pattern of addresses whose first part is one of these, and of what other software might take for them.
 * @param names regular expressions
 */
export function beginsWith(...names: readonly string[]): RegExp {
  return new RegExp(String.raw`^(?:[/\\.]|%2f|%5c)*(?:${names.join("|")})(?![\w~-])`, "i");
}

/** The importer's endpoints (rule C3). */
const IMPORTER_PATH = beginsWith("importer");

/** Checks whether web pages may call this normalized URL (rule C3). */
export function isOpenToPages(url: string): boolean {
  return !IMPORTER_PATH.test(url);
}

/** Answers a preflight, and every other `OPTIONS` (rule U10): no token, no rate limit (rule C2). */
export function answerOptions({ headers }: FastifyRequest, reply: FastifyReply): void {
  reply.code(204).headers(PREFLIGHT_HEADERS);
  if (headers["access-control-request-method"] === undefined) {
    reply.header(UPLOAD_HEADERS.limit, formatUploadLimit());
  }
  void reply.send();
}
