import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { addCommonHeaders } from "./common-headers.ts";
import { refusal } from "../../core/protocol/refusal.ts";

/** A text ready to serve. */
export interface ServedText {
  /** The bytes, which unread answers share, unlike a text. */
  readonly plain: Uint8Array;
  readonly gzip: Uint8Array;
  readonly br: Uint8Array;
  readonly headers: Readonly<Record<string, string>>;
}

/** A quality that compresses nearly as well as the best, in a twentieth of the time. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } };

/**
 * Makes a text, or the bytes of a picture, ready to serve: compressed, with an ETag, revalidated on every visit.
 * @param headers of its answers; they win over these
 */
export async function prepareText(
  text: string | Uint8Array,
  headers: Readonly<Record<string, string>>,
): Promise<ServedText> {
  return {
    plain: Buffer.from(text),
    gzip: await promisify(gzip)(text),
    br: await promisify(brotliCompress)(text, BROTLI),
    headers: {
      "x-content-type-options": "nosniff",
      // Always revalidated, so that an old page never calls an updated relay.
      "cache-control": "no-cache",
      etag: `W/"${digestOf(text, "base64url")}"`,
      vary: "accept-encoding",
      ...headers,
    },
  };
}

/** Sends a text as the client accepts it, or 304 if it has it already. */
export function sendText(
  request: FastifyRequest,
  reply: FastifyReply,
  served: ServedText,
): FastifyReply {
  const { headers: requested } = request;
  addCommonHeaders(request, reply);
  // A script has no policy; that of a page is its own.
  reply.removeHeader("content-security-policy").headers(served.headers);
  const etags = (requested["if-none-match"] ?? "").split(",").map((tag) => tag.trim());
  if (etags.includes(served.headers["etag"] ?? "")) return reply.code(304).send();
  const accepted = requested["accept-encoding"] ?? "";
  const encoding = (["br", "gzip"] as const).find((name) => isAccepted(accepted, name));
  if (encoding === undefined) return reply.send(served.plain);
  return reply.header("content-encoding", encoding).send(served[encoding]);
}

/** Checks whether an encoding is named, and not with a weight of 0. */
function isAccepted(header: string, name: string): boolean {
  const found = new RegExp(String.raw`\b${name}\b\s*(?:;\s*q=([\d.]+))?`).exec(header);
  return found !== null && Number(found[1] ?? 1) > 0;
}

/** Answers GET and HEAD at a path, and 405 to every other method. */
export function addReadOnly(
  app: FastifyInstance,
  url: string,
  handler: (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>,
): void {
  app.route({ method: ["GET", "HEAD"], url, handler });
  app.route({
    method: ["POST", "PUT", "PATCH", "DELETE"],
    url,
    handler: (request, reply) => {
      reply.header("allow", "GET, HEAD");
      throw refusal("METHOD_WRONG", { method: request.method });
    },
  });
}

/** Calls `make` at most once at a time, and again only after it failed. */
export function onceMade<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let made: Promise<Value> | undefined;
  return async () => {
    try {
      return await (made ??= make());
    } catch (error) {
      made = undefined;
      throw error;
    }
  };
}

/** Returns the SHA-256 of bytes, or of a text's UTF-8 bytes. */
export function digestOf(text: string | Uint8Array, encoding: "base64" | "base64url"): string {
  return createHash("sha256").update(text).digest(encoding);
}
