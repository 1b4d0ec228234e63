import type { IncomingHttpHeaders } from "node:http";
import { isJsonObject } from "../../core/text/json-object.ts";
import { shorten } from "../../core/text/shorten.ts";

const MAX_SENTENCE_UNITS = 200;

/** The relay answered, and said no. */
export class RelayError extends Error {
  override readonly name = "RelayError";
  /** HTTP status, 300 or above. */
  readonly status: number;
  /** Stable name of the refusal (rule E3), where the relay gave one. */
  readonly code: string | undefined;
  /** Seconds to wait before the next try, where the relay said so. */
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

/** No usable answer came: the network, the certificate, or something that is no relay. */
export class RelayUnreachableError extends Error {
  override readonly name = "RelayUnreachableError";
  readonly status = undefined;
}

/**
 * What a relay said no with: its own sentence where it gave one, else one made of the status. It
 * comes from outside and goes to a terminal: one line, and not a long one.
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
      ? shorten(error.replaceAll(/\p{Cc}+/gu, " "), MAX_SENTENCE_UNITS)
      : sentenceForStatus(status, headers, host);
  return new RelayError(status, sentence, {
    code: typeof code === "string" ? code : undefined,
    retryAfterSeconds: Number.isFinite(wait) && wait > 0 ? wait : undefined,
  });
}

function sentenceForStatus(status: number, headers: IncomingHttpHeaders, host: string): string {
  if (status >= 300 && status < 400 && headers.location !== undefined) {
    const target = shorten(headers.location, MAX_SENTENCE_UNITS);
    return `${host} redirects to ${target}. Enter that as the relay's address.`;
  }
  return status >= 500
    ? `The relay at ${host} has a problem (${status}). Try again later.`
    : `The relay at ${host} refused the request (${status}).`;
}

/** Puts a failure of the network into words; `host` is the relay's host, with its port if it has one. */
export function networkTrouble(error: unknown, host: string): RelayUnreachableError {
  return new RelayUnreachableError(sentenceFor(codeOf(error), host), { cause: error });
}

/** What answers there is not a relay of Soundferry, or nothing that this importer can read. */
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
