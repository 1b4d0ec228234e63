import { Buffer } from "node:buffer";
import * as http from "node:http";
import * as https from "node:https";
import { clearTimeout, setTimeout } from "node:timers";
import { URL } from "node:url";
import { parseJson } from "../../core/text/parse-json.ts";
import { networkTrouble, RelayUnreachableError } from "./relay-errors.ts";

export interface HttpConnectionOptions {
  /** Without a slash at its end. */
  readonly baseUrl: string;
  /** Sent with every call. */
  readonly headers: http.OutgoingHttpHeaders;
  /** A JSON answer is given up on after this long, from connecting to its last byte; 30 s. */
  readonly answerDeadlineMs?: number;
  /** A download is given up on when nothing came for this long; 60 s. */
  readonly silenceLimitMs?: number;
}

export interface JsonAnswer {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  /** undefined where the body is no JSON, which counts as an empty one. */
  readonly body: unknown;
}

export interface Call {
  readonly method: string;
  /** Percent-encoded, relative to the base address; begins with `/`. */
  readonly path: string;
  readonly token?: string;
  /** More headers for this call. */
  readonly headers?: http.OutgoingHttpHeaders;
  /** Sent as JSON. */
  readonly body?: unknown;
}

export interface JsonCall extends Call {
  /** The longest answer that is read, in bytes. */
  readonly maxAnswerBytes: number;
}

/** Calls to one base address over connections that are kept open. */
export class HttpConnection {
  /** Host and port, for sentences. */
  readonly host: string;
  readonly #base: URL;
  readonly #options: HttpConnectionOptions;
  readonly #agent: http.Agent;
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
   * Sends JSON, reads JSON; any status is an answer.
   * @throws {RelayUnreachableError} when no answer came, or one longer than allowed
   */
  async call(call: JsonCall): Promise<JsonAnswer> {
    const { headers, text } = this.#prepare(call);
    const begin = () => this.#request({ method: call.method, path: call.path, headers });
    const deadline: Watch = (request, giveUp) => {
      const timer = setTimeout(giveUp, this.#options.answerDeadlineMs ?? 30_000);
      request.once("close", () => clearTimeout(timer));
    };
    try {
      const answer = await this.#send(begin, text, deadline);
      const body = await readBody(answer, call.maxAnswerBytes, this.host);
      return { status: answer.statusCode ?? 0, headers: answer.headers, body: parseJson(body) };
    } catch (error) {
      throw this.#inWords(error);
    }
  }

  /**
   * Makes a call whose answer is read piece by piece; any status is an answer. The caller reads the
   * answer to its end or destroys it.
   * @throws {RelayUnreachableError} when no answer came
   */
  async open(call: Call, signal: AbortSignal): Promise<http.IncomingMessage> {
    const { headers, text } = this.#prepare(call);
    const begin = () => this.#request({ method: call.method, path: call.path, headers, signal });
    const watchSilence: Watch = (request, giveUp) =>
      request.setTimeout(this.#options.silenceLimitMs ?? 60_000, giveUp);
    try {
      return await this.#send(begin, text, watchSilence);
    } catch (error) {
      signal.throwIfAborted();
      throw this.#inWords(error);
    }
  }

  /** The same address for a WebSocket. */
  socketUrl(path: string): string {
    return `${this.#isSecure ? "wss" : "ws"}://${this.host}${this.#basePath}${path}`;
  }

  /** Ends every connection, in use or not; later calls reject. */
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
    return request({
      ...options,
      agent: this.#agent,
      hostname: this.#base.hostname.replace(/^\[|\]$/g, ""),
      port: this.#base.port,
      path: `${this.#basePath}${options.path}`,
    });
  }

  /** Sends once more when a kept connection turns out to be closed by the other side. */
  async #send(
    begin: () => http.ClientRequest,
    text: string | undefined,
    watch: Watch,
  ): Promise<http.IncomingMessage> {
    const request = begin();
    try {
      return await answerTo(request, text, watch);
    } catch (error) {
      if (this.#isClosed || !request.reusedSocket || !isReset(error)) throw error;
    }
    return answerTo(begin(), text, watch);
  }

  #inWords(error: unknown): RelayUnreachableError {
    return error instanceof RelayUnreachableError ? error : networkTrouble(error, this.host);
  }
}

/** Calls `giveUp` when the request has taken too long. */
type Watch = (request: http.ClientRequest, giveUp: () => void) => void;

function answerTo(
  request: http.ClientRequest,
  text: string | undefined,
  watch: Watch,
): Promise<http.IncomingMessage> {
  return new Promise((resolve, reject) => {
    let underWay: http.ClientRequest | http.IncomingMessage = request;
    request.once("response", (answer) => {
      underWay = answer;
      resolve(answer);
    });
    request.on("error", reject);
    watch(request, () => underWay.destroy(timedOut()));
    request.end(text);
  });
}

function isReset(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ECONNRESET";
}

function timedOut(): Error {
  return Object.assign(new Error("no answer in time"), { code: "ETIMEDOUT" });
}

/**
 * Reads a whole body.
 * @throws {RelayUnreachableError} when it is longer than `maxBytes`; any other error is the network's
 */
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
