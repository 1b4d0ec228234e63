import type { IncomingHttpHeaders } from "node:http";
import { notSoundferry, RelayUnreachableError } from "../../core/importer/relay-errors.ts";
import { RELAY_MARK } from "../../core/protocol/relay-mark.ts";

/** Returns whether the relay itself gave an answer (rule C5). */
export function isMarked(headers: IncomingHttpHeaders): boolean {
  return headers[RELAY_MARK.name.toLowerCase()] !== undefined;
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

/** Describes a network error in a sentence; `host` may include a port. */
export function networkTrouble(error: unknown, host: string): RelayUnreachableError {
  return new RelayUnreachableError(sentenceFor(codeOf(error), host), { cause: error });
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
