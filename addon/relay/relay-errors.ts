import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { isJsonObject } from "../../core/text/json-object.ts";
import { REFUSALS } from "../../core/protocol/refusals.ts";
import { RELAY_MARK } from "../../core/protocol/relay-mark.ts";
import { onOneLine, shorten } from "../../core/text/shorten.ts";

const MAX_SENTENCE_UNITS = 200;

/** A relay's refusal of a call. */
export class RelayError extends Error {
  override readonly name = "RelayError";
  /** The HTTP status, 300 or above. */
  readonly status: number;
  /** The refusal's stable name (rule E3), where the relay sent one. */
  readonly code: string | undefined;
  /** The relay's Retry-After, where it sent one. */
  readonly retryAfterSeconds: number | undefined;

  constructor(
    status: number,
    sentence: string,
    options: {
      readonly code?: string | undefined;
      readonly retryAfterSeconds?: number | undefined;
    } = {},
  ) {
    super(sentence);
    this.status = status;
    this.code = options.code;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}

/** The error without a usable answer: the network, the certificate, or a server that isn't a relay. */
export class RelayUnreachableError extends Error {
  override readonly name: string = "RelayUnreachableError";
  readonly status = undefined;
}

/** Returns whether the relay itself gave an answer (rule C5). */
export function isMarked(headers: IncomingHttpHeaders): boolean {
  return headers[RELAY_MARK.name.toLowerCase()] !== undefined;
}

/** The error when something else answered in the relay's place, such as a Wi-Fi's sign-in page (rule I6). */
export class ForeignAnswerError extends RelayUnreachableError {
  override readonly name = "ForeignAnswerError";
  /** The answer's HTTP status, which says nothing about the relay. */
  readonly foreignStatus: number;

  /** @param isKnown true where a relay has answered at this address before */
  constructor(
    { statusCode: status = 0, headers }: Pick<IncomingMessage, "statusCode" | "headers">,
    host: string,
    isKnown: boolean,
  ) {
    super(isKnown ? FOREIGN_ANSWER : strangerSentence(status, headers.location, host));
    this.foreignStatus = status;
  }
}

const FOREIGN_ANSWER =
  "Something between this computer and the relay answers in its place. " +
  "Open a page in your browser: a Wi-Fi sign-in may be waiting.";

function strangerSentence(status: number, location: string | undefined, host: string): string {
  if (status >= 300 && status < 400 && location !== undefined) {
    const target = shorten(location, MAX_SENTENCE_UNITS);
    return `${host} redirects to ${target}. Enter that as the relay's address.`;
  }
  // A gateway says so when it can't reach the relay behind it.
  if (status >= 500) return troubleAtRelay(status, host);
  return notSoundferry(host).message;
}

/** The error when the question whether the relay moved is no longer asked, or has changed. */
export class QuestionGoneError extends Error {
  override readonly name = "QuestionGoneError";
  /** The HTTP status for other processes. */
  readonly status = 409;

  constructor() {
    super("This question has changed. Read it again.");
  }
}

/** The error when the server had closed a keep-alive connection. Another server may answer now. */
export class StaleConnectionError extends RelayUnreachableError {
  override readonly name = "StaleConnectionError";
}

/**
 * Returns whether the relay itself has refused a call for good: with a code of its own and that code's status. Anything
 * else comes from something on the way, such as a proxy, or may pass.
 */
export function isOwnRefusal(error: unknown): error is RelayError {
  if (!(error instanceof RelayError)) return false;
  const { status, code = "" } = error;
  const own = Object.entries(REFUSALS).some(
    ([name, refused]) => name === code && refused.status === status,
  );
  return own && status < 500 && status !== 408 && status !== 429;
}

/** Returns whether the relay says that another run has a package's lease (rule S2). */
export function isRunElsewhere(error: unknown): error is RelayError {
  return isOwnRefusal(error) && error.code === "RUN_ELSEWHERE";
}

/**
 * Builds the error of a refusal: the relay's sentence, or one for the status. The sentence is untrusted
 * and may reach a terminal: it becomes one short line without control characters.
 */
export function refusalIn(
  answer: {
    readonly status: number;
    readonly headers: IncomingHttpHeaders;
    readonly body: unknown;
  },
  host: string,
): RelayError {
  const { status, headers, body } = answer;
  const { error, code } = isJsonObject(body) ? body : {};
  const wait = Number(headers["retry-after"]);
  const sentence =
    typeof error === "string" && error !== ""
      ? shorten(onOneLine(error), MAX_SENTENCE_UNITS)
      : status >= 500
        ? troubleAtRelay(status, host)
        : `The relay at ${host} refused the request (${status}).`;
  return new RelayError(status, sentence, {
    code: typeof code === "string" ? code : undefined,
    retryAfterSeconds: Number.isFinite(wait) && wait > 0 ? wait : undefined,
  });
}

function troubleAtRelay(status: number, host: string): string {
  return `The relay at ${host} has a problem (${status}). Try again later.`;
}

/** Describes a network error in a sentence; `host` may include a port. */
export function networkTrouble(error: unknown, host: string): RelayUnreachableError {
  return new RelayUnreachableError(sentenceFor(codeOf(error), host), { cause: error });
}

/** Describes an answer that isn't the requested sound, such as a captive portal's page. */
export function notTheSound(host: string): RelayUnreachableError {
  return new RelayUnreachableError(`Something other than the sound came from ${host}.`);
}

export function notSoundferry(host: string): RelayUnreachableError {
  return new RelayUnreachableError(
    `The server at ${host} is not a Soundferry relay. Check the address.`,
  );
}

function codeOf(error: unknown): string {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return typeof code === "string" ? code : "unknown";
}

function sentenceFor(code: string, host: string): string {
  switch (code) {
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return `${host} can't be found. Check the relay's address and your connection.`;
    case "ECONNREFUSED":
      return `Nothing answers at ${host}. Is the relay running?`;
    case "ETIMEDOUT":
    case "ESOCKETTIMEDOUT":
      return `${host} did not answer in time. Try again later.`;
    case "EHOSTUNREACH":
    case "ENETUNREACH":
    case "ENETDOWN":
      return `${host} can't be reached from here. Check your connection.`;
    case "ECONNRESET":
    case "EPIPE":
      return `The connection to ${host} was lost. Try again.`;
    case "CERT_HAS_EXPIRED":
      return `The certificate of ${host} has expired. Tell the relay's operator.`;
    case "ERR_TLS_CERT_ALTNAME_INVALID":
      return `The certificate at ${host} belongs to another address. Check the relay's address.`;
    case "DEPTH_ZERO_SELF_SIGNED_CERT":
    case "SELF_SIGNED_CERT_IN_CHAIN":
    case "UNABLE_TO_GET_ISSUER_CERT":
    case "UNABLE_TO_GET_ISSUER_CERT_LOCALLY":
    case "UNABLE_TO_VERIFY_LEAF_SIGNATURE":
    case "CERT_NOT_YET_VALID":
      return `The certificate of ${host} isn't trusted. Tell the relay's operator.`;
    case "EPROTO":
    case "ERR_SSL_WRONG_VERSION_NUMBER":
    case "ERR_SSL_PACKET_LENGTH_TOO_LONG":
      return `${host} doesn't support https. In your own network, try http:// instead.`;
    default:
      return code.startsWith("HPE_")
        ? notSoundferry(host).message
        : `${host} can't be reached (${code}).`;
  }
}
