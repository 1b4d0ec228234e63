import { Buffer } from "node:buffer";
import * as http from "node:http";
import * as https from "node:https";
import { clearTimeout, setTimeout } from "node:timers";
import { URL } from "node:url";
import { parseJson } from "../../core/text/parse-json.ts";
import { networkTrouble, RelayUnreachableError, StaleConnectionError } from "./relay-errors.ts";

export interface HttpConnectionOptions {
  /** Without a trailing slash. */
  readonly baseUrl: string;
  /** Sent with every call. */
  readonly headers: http.OutgoingHttpHeaders;
  /** Timeout of a JSON call, from connecting to the last byte; 30 s by default. */
  readonly answerDeadlineMs?: number;
  /** Idle timeout of a download; 60 s by default. */
  readonly silenceLimitMs?: number;
  /** Called when a connection ends, in the midst of a call or between calls. */
  readonly onDisconnect?: () => void;
}

export interface JsonAnswer {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  /** undefined where the body isn't valid JSON. */
  readonly body: unknown;
}

export interface Call {
  readonly method: string;
  /** Percent-encoded and relative to the base address; starts with `/`. */
  readonly path: string;
  readonly token?: string;
  readonly headers?: http.OutgoingHttpHeaders;
  /** Sent as JSON. */
  readonly body?: unknown;
}

export interface JsonCall extends Call {
  /** Size limit of the answer's body. */
  readonly maxAnswerBytes: number;
  readonly signal?: AbortSignal | undefined;
}

/** A keep-alive HTTP client for one base address. */
export class HttpConnection {
  /** Host and port, for sentences. */
  readonly host: string;
  readonly #base: URL;
  readonly #options: HttpConnectionOptions;
  readonly #agent: http.Agent;
  readonly #sockets = new WeakSet<object>();
  #isClosed = false;

  constructor(options: HttpConnectionOptions) {
    this.#options = options;
    this.#base = new URL(options.baseUrl);
    this.host = this.#base.host;
    this.#agent = this.#isSecure
      ? new https.Agent({ keepAlive: true })
      : new http.Agent({ keepAlive: true });
  }

  /**
   * Sends JSON and reads JSON; resolves with any status.
   * @throws {RelayUnreachableError} when no answer came, or one over the size limit
   * @throws {unknown} the signal's reason
   */
  async call(call: JsonCall): Promise<JsonAnswer> {
    const { headers, text } = this.#prepare(call);
    const { method, path, signal } = call;
    const begin = () => this.#request({ method, path, headers, signal });
    const deadline: Watch = (request, giveUp) => {
      const timer = setTimeout(giveUp, this.#options.answerDeadlineMs ?? 30_000);
      request.once("close", () => clearTimeout(timer));
    };
    try {
      const answer = await this.#send(
        begin,
        { text, hasToken: call.token !== undefined },
        deadline,
      );
      const body = await readBody(answer, call.maxAnswerBytes, this.host);
      return { status: answer.statusCode ?? 0, headers: answer.headers, body: parseJson(body) };
    } catch (error) {
      signal?.throwIfAborted();
      throw this.#inWords(error);
    }
  }

  /**
   * Makes a call with a streamed answer; resolves with any status. The caller must read the answer to
   * its end or destroy it.
   * @throws {RelayUnreachableError} when no answer came
   */
  async open(call: Call, signal: AbortSignal): Promise<http.IncomingMessage> {
    const { headers, text } = this.#prepare(call);
    const begin = () => this.#request({ method: call.method, path: call.path, headers, signal });
    const watchSilence: Watch = (request, giveUp) =>
      request.setTimeout(this.#options.silenceLimitMs ?? 60_000, giveUp);
    try {
      return await this.#send(begin, { text, hasToken: call.token !== undefined }, watchSilence);
    } catch (error) {
      signal.throwIfAborted();
      throw this.#inWords(error);
    }
  }

  /** Returns the WebSocket address of a path. */
  socketUrl(path: string): string {
    return `${this.#isSecure ? "wss" : "ws"}://${this.host}${this.#basePath}${path}`;
  }

  /** Closes every connection, also those in use; later calls reject. */
  close(): void {
    this.#isClosed = true;
    this.#agent.destroy();
  }

  get #isSecure(): boolean {
    return this.#base.protocol === "https:";
  }

  get #basePath(): string {
    return this.#base.pathname.replace(/\/+$/, "");
  }

  #prepare(call: Call): { headers: http.OutgoingHttpHeaders; text: string | undefined } {
    const text = call.body === undefined ? undefined : JSON.stringify(call.body);
    const headers = {
      ...this.#options.headers,
      ...call.headers,
      ...(call.token !== undefined && { authorization: `Bearer ${call.token}` }),
      ...(text !== undefined && {
        "content-type": "application/json",
        "content-length": Buffer.byteLength(text),
      }),
    };
    return { headers, text };
  }

  #request(options: http.RequestOptions): http.ClientRequest {
    if (this.#isClosed) throw new RelayUnreachableError("Soundferry is closing.");
    const { request } = this.#isSecure ? https : http;
    const begun = request({
      ...options,
      agent: this.#agent,
      hostname: this.#base.hostname.replace(/^\[|\]$/g, ""),
      port: this.#base.port,
      path: `${this.#basePath}${options.path}`,
    });
    this.#noteDisconnects(begun);
    return begun;
  }

  #noteDisconnects(request: http.ClientRequest): void {
    const { onDisconnect } = this.#options;
    if (onDisconnect === undefined) return;
    let answer: http.IncomingMessage | undefined;
    request.once("response", (begun) => {
      answer = begun;
    });
    request.once("close", () => {
      if (answer?.complete !== true) onDisconnect();
    });
    request.once("socket", (socket) => {
      if (this.#sockets.has(socket)) return;
      this.#sockets.add(socket);
      socket.once("close", () => onDisconnect());
    });
  }

  /**
   * Retries once when the server has closed a keep-alive connection, but never with a token.
   * @throws {StaleConnectionError} then
   */
  async #send(
    begin: () => http.ClientRequest,
    { text, hasToken }: { readonly text: string | undefined; readonly hasToken: boolean },
    watch: Watch,
  ): Promise<http.IncomingMessage> {
    const request = begin();
    try {
      return await answerTo(request, text, watch);
    } catch (error) {
      if (this.#isClosed || !request.reusedSocket || !isReset(error)) throw error;
      if (hasToken) throw new StaleConnectionError(this.#inWords(error).message, { cause: error });
    }
    return answerTo(begin(), text, watch);
  }

  #inWords(error: unknown): RelayUnreachableError {
    return error instanceof RelayUnreachableError ? error : networkTrouble(error, this.host);
  }
}

/** Calls `giveUp` on timeout. */
type Watch = (request: http.ClientRequest, giveUp: () => void) => void;

function answerTo(
  request: http.ClientRequest,
  text: string | undefined,
  watch: Watch,
): Promise<http.IncomingMessage> {
  return new Promise((resolve, reject) => {
    let current: http.ClientRequest | http.IncomingMessage = request;
    request.once("response", (answer) => {
      current = answer;
      resolve(answer);
    });
    request.on("error", reject);
    watch(request, () => current.destroy(timedOut()));
    request.end(text);
  });
}

function isReset(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ECONNRESET";
}

function timedOut(): Error {
  return Object.assign(new Error("no answer in time"), { code: "ETIMEDOUT" });
}

/** @throws {RelayUnreachableError} when the body exceeds `maxBytes`; other errors come from the network */
export async function readBody(
  answer: http.IncomingMessage,
  maxBytes: number,
  host: string,
): Promise<string> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of answer as AsyncIterable<Buffer>) {
    size += piece.length;
    if (size > maxBytes) {
      throw new RelayUnreachableError(`The answer from ${host} is too long.`);
    }
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString("utf8");
}
