import { Agent, type ClientRequest, request as httpRequest } from "node:http";
import { Agent as TlsAgent, request as tlsRequest } from "node:https";
import { connect, isIP } from "node:net";
import { connect as tlsConnect } from "node:tls";
import { WebSocket } from "ws";
import { type Answer, MAX_ANSWER_BYTES, parseAnswer, readBody, readRawAnswer } from "./answer.ts";
import { AssertionFailure, Inconclusive } from "./assertion-failure.ts";
import { type Contract, PAGE_ORIGIN } from "./contract.ts";
import { Patience } from "./patience.ts";
import { whyLost } from "./why-lost.ts";

const JSON_TYPE = { "content-type": "application/json" };
/** Calls that create something at a relay. */
const CREATING = new Set(["/importer/register", "/pair/claim", "/packages"]);
/** A call whose body the caller writes in its own time has so many times an answer's. */
const OPEN_CALL_PART = 5 / 3;
const HANDSHAKE_MS = 10_000;
/** No message of the notification socket is longer. */
const MAX_MESSAGE_BYTES = 65_536;
/** The most bytes of an answer to what is no HTTP. */
const MAX_RAW_UNITS = 65_536;

export interface CallOptions {
  readonly token?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  /** The body. Objects are sent as JSON, strings and bytes unchanged. */
  readonly body?: object | string | Uint8Array | undefined;
  /** Sends without `Content-Length`. */
  readonly isChunked?: boolean;
  /** Opens a new connection for this call alone. */
  readonly isAlone?: boolean;
  /** Stops reading an answer that is longer. By default one of more than 2 MiB is a failure. */
  readonly maxAnswerBytes?: number | undefined;
  /** Time in which the answer must have ended, if not that of every answer. */
  readonly deadlineMs?: number;
}

interface BegunOptions extends CallOptions {
  /** True if `abandon` leaves the call running. */
  readonly isSpared: boolean;
  readonly deadlineMs: number;
}

/** A call whose body the caller writes piece by piece. Disposing it aborts it, unless it has ended. */
export interface OpenCall extends Disposable {
  readonly answer: Promise<Answer>;
  write(bytes: Uint8Array): void;
  end(): void;
  /** Cuts the connection. */
  abort(): void;
}

export interface WireOptions {
  /** Called with every answer. */
  readonly watch?: (answer: Answer) => void;
  /** The contract by which answers are judged. Default: the whole one. */
  readonly contract?: Contract | undefined;
  /** Time in which an answer must have ended, in milliseconds. */
  readonly answerMs?: number | undefined;
}

/** Plain HTTP to one relay: no redirects, no retries, no cookies. */
export class Wire implements Disposable {
  readonly baseUrl: string;
  readonly #url: URL;
  readonly #agent: Agent;
  readonly #options: WireOptions;
  readonly #patience: Patience;
  readonly #open = new Set<ClientRequest>();
  readonly #sockets = new Set<WebSocket>();
  /** Running calls that `abandon` leaves running. */
  readonly #spared = new Set<ClientRequest>();

  constructor(baseUrl: string, options: WireOptions = {}) {
    this.baseUrl = baseUrl;
    this.#url = new URL(baseUrl);
    this.#options = options;
    this.#patience = new Patience(options.answerMs);
    const agentOptions = { keepAlive: true, maxSockets: 32 };
    this.#agent = this.#isTls ? new TlsAgent(agentOptions) : new Agent(agentOptions);
  }

  /** Time in which an answer must have ended, in milliseconds. */
  get answerMs(): number {
    return this.#patience.answerMs;
  }

  /** Opens the notification socket; without a token it is refused. Its errors need no listener. */
  socket(token: string | undefined): WebSocket {
    this.#patience.require();
    const url = `${this.baseUrl.replace(/^http/, "ws")}/importer/socket`;
    const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
    const socket = start(
      "The socket",
      () => new WebSocket(url, { headers, maxPayload: MAX_MESSAGE_BYTES }),
    );
    // The library's own handshake timeout starts over with each byte.
    const late = setTimeout(
      () => {
        this.#patience.noteLate();
        socket.terminate();
      },
      Math.min(HANDSHAKE_MS, this.answerMs),
    );
    this.#sockets.add(socket);
    socket.on("open", () => clearTimeout(late));
    socket.on("error", () => socket.terminate());
    socket.on("close", () => {
      clearTimeout(late);
      this.#sockets.delete(socket);
    });
    return socket;
  }

  async call(method: string, path: string, options: CallOptions = {}): Promise<Answer> {
    const bytes = bytesOf(options.body);
    const open = this.#begin(method, path, {
      isSpared: method === "POST" && CREATING.has(path),
      deadlineMs: this.answerMs,
      ...options,
      headers: {
        ...(!options.isChunked && bytes !== undefined && { "content-length": `${bytes.length}` }),
        // Only this project's relays read JSON whatever its type.
        ...(this.#isPublic && method === "POST" && bytes !== undefined && JSON_TYPE),
        ...options.headers,
      },
    });
    if (bytes !== undefined) open.write(bytes);
    open.end();
    return open.answer;
  }

  /** Starts a call whose body the caller writes; chunked unless `content-length` is set. */
  open(method: string, path: string, options: CallOptions = {}): OpenCall {
    const deadlineMs = Math.ceil(this.answerMs * OPEN_CALL_PART);
    return this.#begin(method, path, { isSpared: false, deadlineMs, ...options });
  }

  #begin(method: string, path: string, options: BegunOptions): OpenCall {
    const { token, headers = {}, isAlone, isSpared } = options;
    this.#patience.require();
    const asked = `${method} ${path.split("?")[0]}`;
    if (!/^\/[!-~]*$/.test(path)) {
      throw new AssertionFailure(`${JSON.stringify(asked)}: HTTP can't send this path.`);
    }
    const request = start(asked, () =>
      (this.#isTls ? tlsRequest : httpRequest)({
        agent: isAlone ? false : this.#agent,
        ...this.#address,
        method,
        path: this.#pathOf(path),
        headers: {
          ...(this.#isPublic && { origin: PAGE_ORIGIN }),
          ...(token !== undefined && { authorization: `Bearer ${token}` }),
          ...headers,
        },
      }),
    );
    const running = isSpared ? this.#spared : this.#open;
    running.add(request);
    request.on("close", () => running.delete(request));
    if (headers["content-length"] !== undefined) request.flushHeaders();
    const origin = request.getHeader("origin");
    const call = { method, path, asked, ...(typeof origin === "string" && { origin }) };
    const answer = this.#read(request, call, options);
    // A caller that aborts doesn't wait for the answer.
    answer.catch(() => {});
    return {
      answer,
      write: (bytes) => void request.write(bytes),
      end: () => void request.end(),
      abort: () => void request.destroy(),
      [Symbol.dispose]: () => void request.destroy(),
    };
  }

  /** Sends raw text on a new connection. Skips the watch, because a proxy may answer for the relay. */
  raw(text: string): Promise<Answer> {
    this.#patience.require();
    const { host, port } = this.#address;
    return new Promise((resolve, reject) => {
      const socket = this.#isTls
        ? tlsConnect({ host, port, ...(isIP(host) === 0 && { servername: host }) })
        : connect({ host, port });
      let got = "";
      const late = setTimeout(() => {
        this.#patience.noteLate();
        socket.destroy();
      }, this.answerMs);
      socket.setEncoding("utf8").on("data", (piece) => {
        got += String(piece);
        if (got.length > MAX_RAW_UNITS) socket.destroy();
      });
      socket.on("error", (error) => reject(new Inconclusive(whyLost(error))));
      socket.on("close", () => {
        clearTimeout(late);
        resolve(readRawAnswer(got));
      });
      socket.write(text);
    });
  }

  /** Ends running calls, except those that create something: only their answer says what to remove. Begins no others. */
  abandon(): void {
    this.#patience.end("The run was stopped.");
    for (const request of this.#open) request.destroy();
    for (const socket of this.#sockets) socket.terminate();
  }

  [Symbol.dispose](): void {
    this.abandon();
    for (const request of this.#spared) request.destroy();
    this.#agent.destroy();
  }

  get #isPublic(): boolean {
    return this.#options.contract === "public";
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
    call: Pick<Answer, "method" | "path" | "asked" | "origin">,
    { maxAnswerBytes, deadlineMs }: BegunOptions,
  ): Promise<Answer> {
    const { watch = () => {}, contract = "whole" } = this.#options;
    const cap = { bytes: maxAnswerBytes ?? MAX_ANSWER_BYTES, isCut: maxAnswerBytes !== undefined };
    return new Promise((resolve, reject) => {
      let lateness: Error | undefined;
      const startedAt = performance.now();
      const timer = setTimeout(() => {
        lateness = new Error(`no whole answer within ${deadlineMs / 1000} s.`);
        this.#patience.noteLate();
        request.destroy(lateness);
      }, deadlineMs);
      const lose = (error: Error) => {
        const cause = lateness ?? error;
        const sentence = `${call.asked}: ${whyLost(cause)}`;
        const isFailure = cause instanceof AssertionFailure;
        reject(isFailure ? new AssertionFailure(sentence) : new Inconclusive(sentence, { cause }));
      };
      let isAnswered = false;
      request.on("error", lose);
      request.on("close", () => {
        clearTimeout(timer);
        // After an answer such as 101 there is neither an error nor a response.
        if (!isAnswered) lose(new Error("the connection was closed without an answer."));
      });
      request.on("response", (response) => {
        isAnswered = true;
        const { localAddress: local = "", remoteAddress: remote = "" } = response.socket;
        readBody(response, cap)
          .then((bytes) => {
            if (isPrompt(call.path, deadlineMs, this.answerMs)) {
              this.#patience.noteTime(performance.now() - startedAt);
            }
            const json = parseAnswer(bytes);
            const { statusCode: status = 0, headers } = response;
            const ends = { local, remote };
            const answer = { ...call, status, headers, bytes, json, contract, ends };
            watch(answer);
            resolve(answer);
          })
          .catch(lose);
      });
    });
  }
}

/** @throws {Inconclusive} if HTTP can't send it, such as a token with a line break */
function start<Started>(what: string, begin: () => Started): Started {
  try {
    return begin();
  } catch (error) {
    throw new Inconclusive(`${what}: HTTP can't send it. (${whyLost(error)})`, { cause: error });
  }
}

/** Returns whether an answer is due at once: the caller of a longer call takes its time, and `?wait=` asks for it. */
function isPrompt(path: string, deadlineMs: number, answerMs: number): boolean {
  return deadlineMs <= answerMs && !/[?&]wait=/.test(path);
}

function bytesOf(body: CallOptions["body"]): Uint8Array | undefined {
  if (body === undefined || body instanceof Uint8Array) return body;
  return Buffer.from(typeof body === "string" ? body : JSON.stringify(body));
}
