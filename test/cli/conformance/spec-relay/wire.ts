import { once } from "node:events";
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";

const JSON_BYTES = 4_194_304;

/** A call as the relay sees it; `path` is below the base address, still encoded, without its query. */
export interface SpecCall {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: AsyncIterable<Buffer>;
}

/** An answer: an object is sent as JSON, a string as HTML. */
export interface SpecReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: unknown;
}
export type SpecHandler = (call: SpecCall) => Promise<SpecReply>;

/** A refusal with its status; texts are cut at 80 characters. */
export class Refused extends Error {
  readonly status: number;
  readonly headers: Record<string, string>;
  constructor(status: number, text: string, headers: Record<string, string> = {}) {
    super(text.length > 80 ? `${text.slice(0, 77)}...` : text);
    this.status = status;
    this.headers = headers;
  }
}

/** Lets at most `most` events pass in any `ms` milliseconds. */
export class SlidingWindow {
  readonly #events: number[] = [];
  readonly #most: number;
  readonly #ms: number;
  constructor(most: number, ms: number) {
    this.#most = most;
    this.#ms = ms;
  }

  spend(now: number, what: string): void {
    while (this.#events[0] !== undefined && this.#events[0] <= now - this.#ms) this.#events.shift();
    const [oldest] = this.#events;
    if (oldest !== undefined && this.#events.length >= this.#most) {
      const seconds = Math.ceil((oldest + this.#ms - now) / 1000);
      throw new Refused(429, `Too many ${what}. Try again later.`, { "retry-after": `${seconds}` });
    }
    this.#events.push(now);
  }
}

/** Answers a preflight of any page with what it asked for. */
export function preflight({ headers }: SpecCall): SpecReply {
  const asked = headers["access-control-request-headers"];
  const allowed = asked ?? "authorization, content-type, x-service-client";
  const methods = "GET, POST, PUT, DELETE";
  return {
    status: 200,
    headers: { "access-control-allow-methods": methods, "access-control-allow-headers": allowed },
  };
}

/** A part of a path in plain text. */
export function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw new Refused(404, "There is nothing at this address.");
  }
}

/** A body's JSON. */
export async function readJson({ body }: SpecCall): Promise<unknown> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of body) if ((bytes += part.length) <= JSON_BYTES) parts.push(part);
  if (bytes > JSON_BYTES) throw new Refused(400, "This body is too large.");
  try {
    return JSON.parse(Buffer.concat(parts).toString()) as unknown;
  } catch {
    throw new Refused(400, "This body is not JSON.");
  }
}

async function answerCall(
  handle: SpecHandler,
  base: string,
  ask: IncomingMessage,
  reply: ServerResponse,
) {
  const [address = "", query = ""] = (ask.url ?? "").split("?", 2);
  const path = address.startsWith(base) ? address.slice(base.length) : "";
  const call = { method: ask.method ?? "", path, query, headers: ask.headers, body: ask };
  const answer = await handle(call);
  const isText = typeof answer.body === "string";
  const type = isText ? "text/html" : "application/json; charset=utf-8";
  const body = isText ? answer.body : JSON.stringify(answer.body);
  reply.writeHead(answer.status, {
    ...(body === undefined ? {} : { "content-type": type }),
    ...answer.headers,
  });
  reply.end(body);
}

/** Answers calls below `base` of a free port. */
export async function listen(handle: SpecHandler, base: string) {
  const server = createServer((ask, reply) => {
    answerCall(handle, base, ask, reply).catch((error: unknown) => reply.destroy(error as Error));
  });
  server.on("clientError", (_, socket) => {
    const body = JSON.stringify({ error: "This is no HTTP call." });
    socket.end(
      `HTTP/1.1 400 Bad Request\r\naccess-control-allow-origin: *\r\nconnection: close\r\n` +
        `content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
    );
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
