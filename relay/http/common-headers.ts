import type { OutgoingHttpHeader, OutgoingHttpHeaders } from "node:http";
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
  return { ...constantHeaders(url), "x-request-id": requestId };
}

function constantHeaders(url: string): Readonly<Record<string, string>> {
  return isOpenToPages(url) ? COMMON_TO_PAGES : COMMON;
}

/** Returns the headers that an answer has so far, and those that every answer has; its own win. */
export function headersOf({ url, id }: FastifyRequest, reply: FastifyReply): OutgoingHttpHeaders {
  const own: NodeJS.Dict<OutgoingHttpHeader> = reply.getHeaders();
  return { ...constantHeaders(url), "x-request-id": id, ...own };
}

/** Adds the headers that every answer has, unless it has them already. */
export function addCommonHeaders(request: FastifyRequest, reply: FastifyReply): void {
  if (!reply.hasHeader("x-request-id")) reply.headers(headersOf(request, reply));
}
