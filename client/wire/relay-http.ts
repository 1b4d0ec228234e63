import { errorOfAnswer, errorOfForeign, errorOfNetwork } from "./answer-error.ts";
import { ClientError } from "./client-error.ts";
import { hasMark, isRefusal, judgeAnswer, type ReadAnswer, type Shape } from "./judge-answer.ts";
import { findCause } from "./find-cause.ts";
import { targetOf } from "./local-network.ts";
import { readAnswer } from "./read-answer.ts";

/** One JSON call. */
export interface RelayCall {
  readonly method: "GET" | "HEAD" | "POST" | "DELETE";
  readonly path: string;
  readonly token?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON; without it the request has no body. */
  readonly body?: unknown;
  readonly signal?: AbortSignal | undefined;
  /** Time limit for the whole answer. Default 30 000. */
  readonly timeoutMs?: number;
  /** True if the call outlives its page. */
  readonly keepalive?: boolean;
}

/** The marks of a relay's own success. */
export interface Success<Answer extends object> {
  /** Its members; undefined where the public specification fixes none. */
  readonly shape?: Shape<Answer>;
  /** Asks the relay whether it has done what an answer without mark and members says. */
  readonly proof?: () => Promise<boolean>;
}

const CALL_TIMEOUT_MS = 30_000;

/** Knowledge of a relay. Clients of one relay that share it learn from each other. */
export class RelayHistory {
  /** True once the relay has answered. */
  isKnown = false;
  /** True once an answer had the mark: from then on, one without it is foreign. */
  isMarked = false;
  /** True once a call was answered by anyone: then neither a prompt nor CORS is in the way. */
  isReached = false;
  /** The longest body that passes on the way to this relay, as far as uploads have found out. */
  maxPartBytes = Number.POSITIVE_INFINITY;
}

/** Makes HTTP calls to one relay and judges the answers (rule W41). Every failure is a `ClientError`. */
export class RelayHttp {
  /** Base address without a trailing slash. */
  readonly relayUrl: string;
  readonly history: RelayHistory;
  readonly #fetch: typeof globalThis.fetch;
  readonly #clientHeader: Readonly<Record<string, string>>;

  /** @throws {ClientError} if the address is not http or https */
  constructor(
    relayUrl: string,
    fetch: typeof globalThis.fetch,
    clientName: string | undefined,
    history: RelayHistory = new RelayHistory(),
  ) {
    this.relayUrl = parseRelayUrl(relayUrl);
    this.history = history;
    this.#fetch = fetch;
    // Headers are ASCII; app names may not be.
    const ascii = clientName?.replaceAll(/[^\x20-\x7e]/g, "?");
    this.#clientHeader = ascii === undefined ? {} : { "X-Service-Client": ascii };
  }

  /** Returns the full URL of a path relative to the base address. */
  addressOf(path: string): string {
    return `${this.relayUrl}/${path.replace(/^\/+/, "")}`;
  }

  /**
   * Returns the headers of a call, with those that every call has.
   * @throws {ClientError} `REQUEST_IMPOSSIBLE`
   */
  headersFor(
    token: string | undefined,
    more: Readonly<Record<string, string>> = {},
  ): Readonly<Record<string, string>> {
    const headers = {
      ...this.#clientHeader,
      ...(token !== undefined && { Authorization: `Bearer ${token}` }),
      ...more,
    };
    try {
      return Object.fromEntries(new Headers(headers));
    } catch {
      // The cause would show the token.
      const sentence = "The pairing's token, or a key of the app, can't be sent.";
      throw new ClientError(sentence, { code: "REQUEST_IMPOSSIBLE" });
    }
  }

  /**
   * Makes a call and returns its answer.
   * @throws {ClientError} for a refusal, for no answer, and for one that is not the relay's; the reason of `signal`
   * when that aborts
   */
  async call<Answer extends object>(call: RelayCall, success: Success<Answer>): Promise<Answer> {
    return this.answerOf(success, call.signal, () => this.#request(call));
  }

  /**
   * Makes a call whose answer is in its headers.
   * @throws {ClientError} as `call` does
   */
  async headersOf(call: RelayCall): Promise<Headers> {
    const success = { proof: async () => true };
    return (await this.#ownAnswer(success, call.signal, () => this.#request(call))).headers;
  }

  #request(call: RelayCall): Promise<Response> {
    const timeout = AbortSignal.timeout(call.timeoutMs ?? CALL_TIMEOUT_MS);
    return this.#fetch(this.addressOf(call.path), {
      method: call.method,
      headers: this.headersFor(call.token, {
        ...(call.body !== undefined && { "Content-Type": "application/json" }),
        ...call.headers,
      }),
      body: call.body === undefined ? null : JSON.stringify(call.body),
      redirect: "manual",
      keepalive: call.keepalive ?? false,
      ...targetOf(this.relayUrl),
      signal: call.signal === undefined ? timeout : AbortSignal.any([call.signal, timeout]),
    });
  }

  /**
   * Awaits and reads an answer; fails as `call` does.
   * @param timeoutMs limit for the answer's body
   */
  async answerOf<Answer extends object>(
    success: Success<Answer>,
    signal: AbortSignal | undefined,
    send: () => Promise<Response>,
    timeoutMs?: number,
  ): Promise<Answer> {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the judge has seen its members
    return (await this.#ownAnswer(success, signal, send, timeoutMs)).body as Answer;
  }

  async #ownAnswer<Answer extends object>(
    { shape, proof = () => this.#isPlain(signal) }: Success<Answer>,
    signal: AbortSignal | undefined,
    send: () => Promise<Response>,
    timeoutMs?: number,
  ): Promise<ReadAnswer> {
    const answer = await this.#read(signal, send, timeoutMs);
    const isRefused = answer.status >= 400;
    const verdict = judgeAnswer(answer, shape, this.history.isMarked);
    const isOwn =
      verdict === "unproven"
        ? await (isRefused ? this.#isPlain(signal) : proof())
        : verdict === "own";
    if (!isOwn) throw errorOfForeign(answer, this.relayUrl, this.history.isKnown);
    this.#note(answer);
    if (isRefused) throw errorOfAnswer(answer);
    return answer;
  }

  #note(answer: ReadAnswer): void {
    this.history.isKnown = true;
    this.history.isMarked ||= hasMark(answer);
  }

  /**
   * True for a relay that knows only the public specification. Before its first answer, asks two questions to which the
   * specification fixes the answers: no server that always says the same can give both.
   */
  async #isPlain(signal: AbortSignal | undefined): Promise<boolean> {
    if (this.history.isKnown) return !this.history.isMarked;
    const claim = { method: "POST", path: "/pair/claim", body: {}, signal } as const;
    const isRelay =
      (await this.#refuses({ method: "GET", path: "/app/me", signal }, /^401/)) &&
      (await this.#refuses(claim, /^4(?!01)/));
    this.history.isKnown ||= isRelay;
    return isRelay;
  }

  /** True if an answer without a mark is a refusal with this status. */
  async #refuses(call: RelayCall, statuses: RegExp): Promise<boolean> {
    const answer = await this.#read(call.signal, () => this.#request(call));
    if (hasMark(answer)) this.#note(answer);
    return !this.history.isMarked && isRefusal(answer) && statuses.test(String(answer.status));
  }

  async #read(
    signal: AbortSignal | undefined,
    send: () => Promise<Response>,
    timeoutMs = CALL_TIMEOUT_MS,
  ): Promise<ReadAnswer> {
    const blocked = await this.#cause();
    if (blocked !== undefined) throw blocked;
    try {
      const response = await send();
      this.history.isReached = true;
      return await readAnswer(response, timeoutMs);
    } catch (cause) {
      if (signal?.aborted === true) throw signal.reason;
      throw await this.#cause(errorOfNetwork(cause, this.relayUrl));
    }
  }

  #cause(failure?: ClientError): Promise<ClientError | undefined> {
    const { relayUrl } = this;
    return findCause({ relayUrl, fetch: this.#fetch, isReached: this.history.isReached }, failure);
  }
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
  const sentence = `A relay's address begins with http:// or https://; "${text}" does not.`;
  throw new ClientError(sentence, { code: "ADDRESS_WRONG" });
}
