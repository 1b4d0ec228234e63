import type { ServerResponse } from "node:http";
import type { FastifyReply } from "fastify";

/** Takes an answer out of Fastify's hands, with the status and the headers it has so far; nothing of it is sent yet. */
export function takeOver(reply: FastifyReply): ServerResponse {
  reply.hijack();
  const { raw } = reply;
  raw.statusCode = reply.statusCode;
  for (const [name, value] of Object.entries(reply.getHeaders())) {
    if (value !== undefined) raw.setHeader(name, value);
  }
  return raw;
}
