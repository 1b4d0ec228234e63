import type { OutgoingHttpHeaders } from "node:http";
import type { FastifyReply, FastifyRequest } from "fastify";
import { NOTHING_LOADS } from "../../core/protocol/content-policy.ts";
import { RELAY_MARK } from "../../core/protocol/relay-mark.ts";
import { CORS_HEADERS, isOpenToPages } from "./cors.ts";

/** The headers of every answer, besides its id. */
const COMMON = {
  "x-content-type-options": "nosniff",
  // What is the same for everybody replaces it (rule SEC1).
  "cache-control": "no-store",
  "content-security-policy": NOTHING_LOADS,
  [RELAY_MARK.name]: RELAY_MARK.value,
};
const COMMON_TO_PAGES = { ...COMMON, ...CORS_HEADERS };

/** Returns the headers that every answer at this normalized URL has. */
export function commonHeaders(url: string, requestId: string): Record<string, string> {
  return { ...(isOpenToPages(url) ? COMMON_TO_PAGES : COMMON), "x-request-id": requestId };
}

/** Returns the headers that an answer has so far, and those that every answer has; its own win. */
export function headersOf({ url, id }: FastifyRequest, reply: FastifyReply): OutgoingHttpHeaders {
  const headers: OutgoingHttpHeaders = commonHeaders(url, id);
  const own = reply.getHeaders();
  for (const name in own) headers[name] = own[name];
  return headers;
}

/** Adds the headers that every answer has, unless it has them already. */
export function addCommonHeaders(request: FastifyRequest, reply: FastifyReply): void {
  if (!reply.hasHeader("x-request-id")) reply.headers(headersOf(request, reply));
}
