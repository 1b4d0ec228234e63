import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { contentPolicyFor } from "../../core/page/content-policy.ts";
import { refusal } from "../../core/protocol/refusal.ts";

/** The relay's pages. Each is loaded once, on the first visit. */
export interface RelayPages {
  /** The page at `/`, as HTML. */
  readonly home: () => Promise<string>;
  /** The client at `/client.js`, one ES module. */
  readonly clientScript: () => Promise<string>;
}

/** A text ready to serve. */
interface ServedText {
  /** Bytes, not text: those who leave their answers unread share them. */
  readonly plain: Uint8Array;
  readonly compressed: Uint8Array;
  readonly headers: Readonly<Record<string, string>>;
}

/** Serves the page and the client to everyone (rule G1). */
export function addPages(app: FastifyInstance, { home, clientScript }: RelayPages): void {
  addText(app, "/", home, (html) => ({
    "content-type": "text/html; charset=utf-8",
    "content-security-policy": contentPolicyFor(html, (text) => digest(text, "base64")),
    "referrer-policy": "no-referrer",
    "x-frame-options": "DENY",
    "cross-origin-opener-policy": "same-origin",
  }));
  addText(app, "/client.js", clientScript, () => ({
    "content-type": "text/javascript; charset=utf-8",
    // Pages of any origin import it.
    "cross-origin-resource-policy": "cross-origin",
  }));
}

function addText(
  app: FastifyInstance,
  path: string,
  make: () => Promise<string>,
  headersOf: (text: string) => Record<string, string>,
): void {
  let made: Promise<ServedText> | undefined;
  const serve = async (): Promise<ServedText> => {
    try {
      return await (made ??= make().then((text) => prepare(text, headersOf(text))));
    } catch (error) {
      made = undefined;
      throw error;
    }
  };
  app.route({
    method: ["GET", "HEAD"],
    url: path,
    handler: async (request, reply) => answer(request, reply, await serve()),
  });
  app.route({
    method: ["POST", "PUT", "PATCH", "DELETE"],
    url: path,
    handler: (request, reply) => {
      reply.header("allow", "GET, HEAD");
      throw refusal("METHOD_WRONG", { method: request.method });
    },
  });
}

async function prepare(text: string, headers: Record<string, string>): Promise<ServedText> {
  return {
    plain: Buffer.from(text),
    compressed: await promisify(gzip)(text),
    headers: {
      ...headers,
      "x-content-type-options": "nosniff",
      // Always revalidated, so that an old page never calls an updated relay.
      "cache-control": "no-cache",
      etag: `W/"${digest(text, "base64url")}"`,
      vary: "accept-encoding",
    },
  };
}

function answer(
  { headers: requested }: FastifyRequest,
  reply: FastifyReply,
  { plain, compressed, headers }: ServedText,
): FastifyReply {
  reply.headers(headers);
  const etags = (requested["if-none-match"] ?? "").split(",").map((tag) => tag.trim());
  if (etags.includes(headers["etag"] ?? "")) return reply.code(304).send();
  if (!/\bgzip\b/.test(requested["accept-encoding"] ?? "")) return reply.send(plain);
  return reply.header("content-encoding", "gzip").send(compressed);
}

function digest(text: string, encoding: "base64" | "base64url"): string {
  return createHash("sha256").update(text).digest(encoding);
}
