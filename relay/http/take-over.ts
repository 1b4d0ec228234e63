import type { ServerResponse } from "node:http";
import type { FastifyReply } from "fastify";

/** Takes the response over from Fastify, with its status and headers so far; nothing has been sent yet. */
export function takeOver(reply: FastifyReply): ServerResponse {
  reply.hijack();
  const { raw } = reply;
  raw.statusCode = reply.statusCode;
  for (const [name, value] of Object.entries(reply.getHeaders())) {
    if (value !== undefined) raw.setHeader(name, value);
  }
  return raw;
}
