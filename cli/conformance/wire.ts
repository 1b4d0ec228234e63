import {
  Agent,
  type ClientRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request as httpRequest,
} from "node:http";
import { Agent as TlsAgent, request as tlsRequest } from "node:https";
import { connect, isIP } from "node:net";
import { connect as tlsConnect } from "node:tls";
import { WebSocket } from "ws";
import { parseJson } from "../../core/text/parse-json.ts";
import { Inconclusive } from "./assertion-failure.ts";

/** Calls that create something at a relay. */
const CREATING = new Set(["/importer/register", "/pair/claim", "/packages"]);
/** A relay that is silent for this long counts as gone. */
const SILENCE_MS = 90_000;
const HANDSHAKE_MS = 10_000;

export interface CallOptions {
  readonly token?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  /** The body. Objects are sent as JSON, strings and bytes unchanged. */
  readonly body?: object | string | Uint8Array | undefined;
  /** Sends without `Content-Length`. */
  readonly isChunked?: boolean;
  /** Opens a new connection for this call alone. */
  readonly isAlone?: boolean;
  /** Stops reading an answer that is longer; by default it is read to its end. */
  readonly maxAnswerBytes?: number | undefined;
}

interface BegunOptions extends CallOptions {
  /** True if `abandon` leaves the call running. */
  readonly isSpared: boolean;
}

/** A relay's answer. */
export interface Answer {
  readonly method: string;
  readonly path: string;
  /** Method and path, for sentences. */
  readonly asked: string;
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
  /** The parsed body; undefined if it isn't JSON. */
  readonly json: unknown;
  /** Addresses of the connection's two ends. */
  readonly ends?: { readonly local: string; readonly remote: string };
}

/** A call whose body the caller writes piece by piece. */
export interface OpenCall {
  readonly answer: Promise<Answer>;
  write(bytes: Uint8Array): void;
  end(): void;
  /** Cuts the connection. */
  abort(): void;
}

/** Plain HTTP to one relay: no redirects, no retries, no cookies. */
export class Wire implements Disposable {
  readonly baseUrl: string;
  readonly #url: URL;
  readonly #agent: Agent;
  readonly #watch: (answer: Answer) => void;
  readonly #open = new Set<ClientRequest>();

  /** @param watch called with every answer */
  constructor(baseUrl: string, watch: (answer: Answer) => void = () => {}) {
    this.baseUrl = baseUrl;
    this.#url = new URL(baseUrl);
    this.#watch = watch;
    const agentOptions = { keepAlive: true, maxSockets: 32 };
    this.#agent = this.#isTls ? new TlsAgent(agentOptions) : new Agent(agentOptions);
  }

  /** Opens the notification socket; without a token it is refused. */
  socket(token: string | undefined): WebSocket {
    return new WebSocket(`${this.baseUrl.replace(/^http/, "ws")}/importer/socket`, {
      headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
      handshakeTimeout: HANDSHAKE_MS,
    });
  }

  async call(method: string, path: string, options: CallOptions = {}): Promise<Answer> {
    const bytes = bytesOf(options.body);
    const open = this.#begin(method, path, {
      isSpared: method === "POST" && CREATING.has(path),
      ...options,
      headers: {
        ...(!options.isChunked && bytes !== undefined && { "content-length": `${bytes.length}` }),
        ...options.headers,
      },
    });
    if (bytes !== undefined) open.write(bytes);
    open.end();
    return open.answer;
  }

  /** Starts a call whose body the caller writes; chunked unless `content-length` is set. */
  open(method: string, path: string, options: CallOptions = {}): OpenCall {
    return this.#begin(method, path, { isSpared: false, ...options });
  }

  #begin(
    method: string,
    path: string,
    { token, headers = {}, isAlone, isSpared, maxAnswerBytes }: BegunOptions,
  ): OpenCall {
    const request = (this.#isTls ? tlsRequest : httpRequest)({
      agent: isAlone ? false : this.#agent,
      ...this.#address,
      method,
      path: this.#pathOf(path),
      timeout: SILENCE_MS,
      headers: { ...(token !== undefined && { authorization: `Bearer ${token}` }), ...headers },
    });
    if (!isSpared) this.#open.add(request);
    request.on("close", () => this.#open.delete(request));
    if (headers["content-length"] !== undefined) request.flushHeaders();
    const answer = this.#read(request, { method, path, maxAnswerBytes });
    // A caller that aborts doesn't wait for the answer.
    answer.catch(() => {});
    return {
      answer,
      write: (bytes) => void request.write(bytes),
      end: () => void request.end(),
      abort: () => void request.destroy(),
    };
  }

  /** Sends raw text on a new connection. Skips the watch, because a proxy may answer for the relay. */
  raw(text: string): Promise<Answer> {
    const { host, port } = this.#address;
    return new Promise((resolve, reject) => {
      const socket = this.#isTls
        ? tlsConnect({ host, port, ...(isIP(host) === 0 && { servername: host }) })
        : connect({ host, port });
      let got = "";
      socket.setTimeout(SILENCE_MS, () => socket.destroy());
      socket.setEncoding("utf8").on("data", (piece) => (got += String(piece)));
      socket.on("error", (error) => reject(new Inconclusive(error.message)));
      socket.on("close", () => resolve(readRaw(got)));
      socket.write(text);
    });
  }

  /** Aborts running calls, except those that create something: only their answer says what to remove. */
  abandon(): void {
    for (const request of this.#open) request.destroy();
  }

  [Symbol.dispose](): void {
    this.#agent.destroy();
  }

  get #isTls(): boolean {
    return this.#url.protocol === "https:";
  }

  get #address(): { readonly host: string; readonly port: number } {
    const port = Number(this.#url.port) || (this.#isTls ? 443 : 80);
    return { host: this.#url.hostname.replace(/^\[|\]$/g, ""), port };
  }

  #pathOf(path: string): string {
    return this.#url.pathname.replace(/\/$/, "") + path;
  }

  #read(
    request: ClientRequest,
    call: Pick<Answer, "method" | "path"> & Pick<CallOptions, "maxAnswerBytes">,
  ): Promise<Answer> {
    const { method, path, maxAnswerBytes } = call;
    const asked = `${method} ${path.split("?")[0]}`;
    return new Promise((resolve, reject) => {
      const lose = (cause: Error) =>
        reject(new Inconclusive(`${asked}: ${cause.message}`, { cause }));
      request.on("error", lose);
      request.on("timeout", () => request.destroy(new Error("no answer")));
      request.on("response", (response) => {
        const { localAddress: local = "", remoteAddress: remote = "" } = response.socket;
        collect(response, maxAnswerBytes).then((bytes) => {
          const json = parseJson(bytes.toString("utf8"));
          const { statusCode: status = 0, headers } = response;
          const ends = { local, remote };
          const answer = { method, path, asked, status, headers, bytes, json, ends };
          this.#watch(answer);
          resolve(answer);
        }, lose);
      });
    });
  }
}

async function collect(response: IncomingMessage, maxBytes = Infinity): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of response) {
    const bytes = Buffer.from(piece);
    length += bytes.length;
    pieces.push(bytes);
    if (length > maxBytes) break;
  }
  return Buffer.concat(pieces);
}

function bytesOf(body: CallOptions["body"]): Uint8Array | undefined {
  if (body === undefined || body instanceof Uint8Array) return body;
  return Buffer.from(typeof body === "string" ? body : JSON.stringify(body));
}

function readRaw(text: string): Answer {
  const [head = "", body = ""] = text.split(/\r\n\r\n([\s\S]*)/);
  const [first = "", ...lines] = head.split("\r\n");
  const headers: IncomingHttpHeaders = {};
  for (const line of lines) {
    const at = line.indexOf(":");
    headers[line.slice(0, at).toLowerCase()] = line.slice(at + 1).trim();
  }
  const asked = "A request that is no HTTP";
  const status = Number(first.split(" ")[1] ?? 0);
  const [bytes, json] = [Buffer.from(body), parseJson(body)];
  return { method: "", path: "", asked, status, headers, bytes, json };
}
