import { isJsonObject, type JsonObject } from "../../core/text/json-object.ts";
import { errorOfAnswer, errorOfNetwork } from "./answer-error.ts";
import { blockedError } from "./blocked-error.ts";
import { ClientError } from "./client-error.ts";
import { targetOf } from "./local-network.ts";

/** One JSON call. */
export interface RelayCall {
  readonly method: "GET" | "HEAD" | "POST" | "DELETE";
  readonly path: string;
  readonly token?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON; without it the request has no body. */
  readonly body?: unknown;
  readonly signal?: AbortSignal | undefined;
  /** Time limit for the answer. Default 30 000. */
  readonly timeoutMs?: number;
  /** True if the call outlives its page. */
  readonly keepalive?: boolean;
}

const CALL_TIMEOUT_MS = 30_000;

/** Makes HTTP calls to one relay. Every failure is a `ClientError`. */
export class RelayHttp {
  /** Base address without a trailing slash. */
  readonly relayUrl: string;
  readonly #fetch: typeof globalThis.fetch;
  readonly #clientHeader: Readonly<Record<string, string>>;
  /** True once a call was answered: then neither a prompt nor CORS is in the way. */
  #isReached = false;

  /** @throws {ClientError} if the address is not http or https */
  constructor(relayUrl: string, fetch: typeof globalThis.fetch, clientName: string | undefined) {
    this.relayUrl = parseRelayUrl(relayUrl);
    this.#fetch = fetch;
    // Headers are ASCII; app names may not be.
    const ascii = clientName?.replaceAll(/[^\x20-\x7e]/g, "?");
    this.#clientHeader = ascii === undefined ? {} : { "X-Service-Client": ascii };
  }

  /** Returns the full URL of a path relative to the base address. */
  addressOf(path: string): string {
    return `${this.relayUrl}/${path.replace(/^\/+/, "")}`;
  }

  /** Returns the headers of every call. */
  headersFor(token: string | undefined): Readonly<Record<string, string>> {
    return {
      ...this.#clientHeader,
      ...(token !== undefined && { Authorization: `Bearer ${token}` }),
    };
  }

  /**
   * Makes a call and returns its answer, which has at least the named members.
   * @throws {ClientError} for an answer of 400 or above, for no answer, and for one that is not from a relay;
   * the reason of `signal` when that aborts
   */
  async call<Answer extends object>(
    call: RelayCall,
    members: readonly (keyof Answer & string)[],
  ): Promise<Answer> {
    return this.answerOf<Answer>(members, call.signal, () => this.#request(call));
  }

  /**
   * Makes a call whose answer is in its headers.
   * @throws {ClientError} as `call` does
   */
  async headersOf(call: RelayCall): Promise<Headers> {
    const [{ headers }] = await this.#receive(call.signal, () => this.#request(call));
    return headers;
  }

  #request(call: RelayCall): Promise<Response> {
    const timeout = AbortSignal.timeout(call.timeoutMs ?? CALL_TIMEOUT_MS);
    return this.#fetch(this.addressOf(call.path), {
      method: call.method,
      headers: {
        ...this.headersFor(call.token),
        ...(call.body !== undefined && { "Content-Type": "application/json" }),
        ...call.headers,
      },
      body: call.body === undefined ? null : JSON.stringify(call.body),
      redirect: "error",
      keepalive: call.keepalive ?? false,
      ...targetOf(this.relayUrl),
      signal: call.signal === undefined ? timeout : AbortSignal.any([call.signal, timeout]),
    });
  }

  /** Awaits and reads an answer; fails as `call` does. */
  async answerOf<Answer extends object>(
    members: readonly (keyof Answer & string)[],
    signal: AbortSignal | undefined,
    send: () => Promise<Response>,
  ): Promise<Answer> {
    const [{ status }, body] = await this.#receive(signal, send);
    if (hasMembers<Answer>(body, members)) return body;
    const sentence = `The server at ${this.relayUrl} is not a relay. Check the address.`;
    throw new ClientError(sentence, { status });
  }

  async #receive(
    signal: AbortSignal | undefined,
    send: () => Promise<Response>,
  ): Promise<[Response, JsonObject]> {
    const blocked = await this.#blocked();
    if (blocked !== undefined) throw blocked;
    let response: Response;
    let text: string;
    try {
      response = await send();
      text = await response.text();
    } catch (cause) {
      if (signal?.aborted === true) throw signal.reason;
      throw await this.#blocked(errorOfNetwork(cause, this.relayUrl));
    }
    this.#isReached = true;
    const body = parseJsonObject(text);
    if (!response.ok) throw errorOfAnswer(response, body);
    return [response, body];
  }

  #blocked(failure?: ClientError): Promise<ClientError | undefined> {
    const { relayUrl } = this;
    return blockedError({ relayUrl, fetch: this.#fetch, isReached: this.#isReached }, failure);
  }
}

/** Parses a JSON object; anything else counts as an empty one (rule W6). */
function parseJsonObject(text: string): JsonObject {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : {};
  } catch {
    return {};
  }
}

/** Checks that the members exist; trusts the relay that they have the protocol's types. */
function hasMembers<Answer extends object>(
  body: object,
  members: readonly (keyof Answer & string)[],
): body is Answer {
  return members.every((member) => Object.hasOwn(body, member));
}

/**
 * Normalizes a relay's base address; the result has no trailing slash.
 * @throws {ClientError} if it is not http or https
 */
export function parseRelayUrl(text: string): string {
  try {
    const { protocol, origin, pathname } = new URL(text);
    if (/^https?:$/.test(protocol)) return `${origin}${pathname}`.replace(/\/+$/, "");
  } catch {
    // Some supported browsers lack `URL.canParse`.
  }
  throw new ClientError(`A relay's address begins with http:// or https://; "${text}" does not.`);
}
