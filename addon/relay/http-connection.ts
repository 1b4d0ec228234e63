import { Buffer } from "node:buffer";
import type * as http from "node:http";
import * as https from "node:https";
import type { Duplex } from "node:stream";
import { clearTimeout, setTimeout } from "node:timers";
import { setImmediate } from "node:timers/promises";
import { URL } from "node:url";
import { nodeHttp } from "../../program/node-http.ts";
import { GreetedAgents, makeAgent } from "./greeted-agents.ts";
import { answerTo, readJson, type Watch } from "./http-answer.ts";
import {
  ForeignAnswerError,
  RelayError,
  RelayUnreachableError,
} from "../../core/importer/relay-errors.ts";
import { isMarked, networkTrouble, StaleConnectionError } from "./relay-errors.ts";

export interface HttpConnectionOptions {
  /** Address without a trailing slash. */
  readonly baseUrl: string;
  /** Headers of every call; a function is called for each. */
  readonly headers: http.OutgoingHttpHeaders | (() => http.OutgoingHttpHeaders);
  /** Timeout of a JSON call, from connecting to the last byte; 30 s by default. */
  readonly answerDeadlineMs?: number;
  /** Idle timeout of a download; 60 s by default. */
  readonly silenceLimitMs?: number;
  /** False where the other side is no relay, so that its answers lack the relay's mark. */
  readonly needsMark?: false;
  /** Returns whether a relay has answered at this address before. An answer on this connection shows that, too. */
  readonly isKnown?: () => boolean;
  /** Asks over a connection which relay is at its other end. Required for calls to a recipient. */
  readonly hello?: (over: Duplex) => Promise<{ readonly instance?: string | undefined }>;
}

/** The relay that a call is for. */
export interface Recipient {
  /** The relay's instance; undefined for relays that name none. */
  readonly instance: string | undefined;
  readonly token?: string;
}

/** A token with the relay that gave it. */
export interface Credential extends Recipient {
  readonly token: string;
}

export interface JsonAnswer {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  /** The parsed body; undefined where it isn't valid JSON. */
  readonly body: unknown;
}

export interface Call {
  readonly method: string;
  /** Percent-encoded path below the base address; starts with `/`. */
  readonly path: string;
  /** The relay to which the connection must lead. */
  readonly to?: Recipient;
  readonly headers?: http.OutgoingHttpHeaders;
  /** Body that is sent as JSON. */
  readonly body?: unknown;
}

export interface JsonCall extends Call {
  /** Size limit of the answer's body. */
  readonly maxAnswerBytes: number;
  readonly signal?: AbortSignal | undefined;
  /**
   * Connection to use, which stays open where the server leaves it open; or `new` for one that ends with the answer.
   * By default, open connections are reused.
   */
  readonly over?: Duplex | "new" | undefined;
}

/** A keep-alive HTTP client for one base address. */
export class HttpConnection {
  /** Host and port, for sentences. */
  readonly host: string;
  readonly #base: URL;
  readonly #options: HttpConnectionOptions;
  readonly #agent: http.Agent;
  readonly #greeted: GreetedAgents;
  #isClosed = false;
  #isKnown = false;

  constructor(options: HttpConnectionOptions) {
    this.#options = options;
    this.#base = new URL(options.baseUrl);
    this.host = this.#base.host;
    this.#agent = makeAgent(this.#isSecure);
    this.#greeted = new GreetedAgents({
      isSecure: this.#isSecure,
      greet: (socket) => this.#greet(socket),
      otherRelay: () => new StaleConnectionError(`Another relay answers at ${this.host} now.`),
    });
  }

  /**
   * Sends JSON and reads JSON; resolves with any status.
   * @throws {RelayUnreachableError} when no answer came, or one that is too large (rule I7)
   * @throws {ForeignAnswerError} when something else answered in the relay's place
   * @throws {StaleConnectionError} when the connection leads to another relay, or is gone
   * @throws {RelayError} when the relay refuses `hello` on a new connection
   * @throws {unknown} the signal's reason
   */
  async call(call: JsonCall): Promise<JsonAnswer> {
    const { headers, text } = this.#prepare(call);
    const begin = () => this.#request(call, headers);
    const deadline: Watch = (request, giveUp) => {
      const timer = setTimeout(giveUp, this.#options.answerDeadlineMs ?? 30_000);
      request.once("close", () => clearTimeout(timer));
    };
    try {
      const answer = await this.#send(
        begin,
        { text, hasToken: call.to?.token !== undefined },
        deadline,
      );
      const body = await readJson(answer, {
        maxBytes: call.maxAnswerBytes,
        host: this.host,
        isTrusted: this.#options.needsMark === false,
      });
      return { status: answer.statusCode ?? 0, headers: answer.headers, body };
    } catch (error) {
      call.signal?.throwIfAborted();
      throw this.#toDiskError(error);
    }
  }

  /**
   * Makes a call with a streamed answer; resolves with any status. The caller must read the answer to
   * its end or destroy it. Throws as `call` does.
   */
  async open(call: Call, signal: AbortSignal): Promise<http.IncomingMessage> {
    const { headers, text } = this.#prepare(call);
    const begin = () => this.#request({ ...call, signal }, headers);
    const watchSilence: Watch = (request, giveUp) =>
      request.setTimeout(this.#options.silenceLimitMs ?? 60_000, giveUp);
    try {
      const hasToken = call.to?.token !== undefined;
      return await this.#send(begin, { text, hasToken }, watchSilence);
    } catch (error) {
      signal.throwIfAborted();
      throw this.#toDiskError(error);
    }
  }

  /** Returns the WebSocket address of a path. */
  socketUrl(path: string): string {
    return `${this.#isSecure ? "wss" : "ws"}://${this.host}${this.#basePath}${path}`;
  }

  /** Returns the agent whose connections lead to an instance, for a WebSocket with its token. */
  agentTo(instance: string | undefined): http.Agent {
    return this.#greeted.to(instance);
  }

  /** Closes every connection, also those in use; later calls reject. */
  close(): void {
    this.#isClosed = true;
    this.#agent.destroy();
    this.#greeted.destroy();
  }

  get #isSecure(): boolean {
    return this.#base.protocol === "https:";
  }

  get #basePath(): string {
    return this.#base.pathname.replace(/\/+$/, "");
  }

  #prepare(call: Call): { headers: http.OutgoingHttpHeaders; text: string | undefined } {
    const text = call.body === undefined ? undefined : JSON.stringify(call.body);
    const { headers: common } = this.#options;
    const headers = {
      ...(typeof common === "function" ? common() : common),
      ...call.headers,
      ...(call.to?.token !== undefined && { authorization: `Bearer ${call.to.token}` }),
      ...(text !== undefined && {
        "content-type": "application/json",
        "content-length": Buffer.byteLength(text),
      }),
    };
    return { headers, text };
  }

  #request(
    { method, path, signal, over, to }: Omit<JsonCall, "maxAnswerBytes">,
    headers: http.OutgoingHttpHeaders,
  ): http.ClientRequest {
    if (this.#isClosed) throw new RelayUnreachableError("Soundferry is closing.");
    const { request } = this.#isSecure ? https : nodeHttp;
    return request({
      method,
      signal,
      hostname: this.#base.hostname.replace(/^\[|\]$/g, ""),
      port: this.#base.port,
      path: `${this.#basePath}${path}`,
      ...(typeof over === "object"
        ? { createConnection: () => over, headers: { ...headers, connection: "keep-alive" } }
        : { agent: over === "new" ? false : this.#agentFor(to), headers }),
    });
  }

  #agentFor(recipient: Recipient | undefined): http.Agent {
    return recipient === undefined ? this.#agent : this.agentTo(recipient.instance);
  }

  async #greet(socket: Duplex) {
    const { hello } = this.#options;
    if (hello === undefined) throw new Error("Calls to a recipient need hello.");
    const { instance } = await hello(socket);
    // Node releases the connection after it has emitted the answer's end.
    await setImmediate();
    return instance;
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
      return this.#assertOwn(await answerTo(request, text, watch));
    } catch (error) {
      if (this.#isClosed || !request.reusedSocket || !isReset(error)) throw error;
      if (hasToken)
        throw new StaleConnectionError(this.#toDiskError(error).message, { cause: error });
    }
    return this.#assertOwn(await answerTo(begin(), text, watch));
  }

  #assertOwn(answer: http.IncomingMessage): http.IncomingMessage {
    const { needsMark = true, isKnown = () => false } = this.#options;
    if (needsMark && !isMarked(answer.headers)) {
      answer.destroy();
      throw new ForeignAnswerError(answer, this.host, this.#isKnown || isKnown());
    }
    this.#isKnown = true;
    return answer;
  }

  #toDiskError(error: unknown): RelayUnreachableError | RelayError {
    const isInWords = error instanceof RelayUnreachableError || error instanceof RelayError;
    return isInWords ? error : networkTrouble(error, this.host);
  }
}

function isReset(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ECONNRESET";
}
