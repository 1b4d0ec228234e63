import { REFUSALS } from "../protocol/refusals.ts";
import { isJsonObject } from "../text/json-object.ts";
import { onOneLine, shorten } from "../text/shorten.ts";

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

/** The error when something else answered in the relay's place, such as a Wi-Fi's sign-in page (rule I6). */
export class ForeignAnswerError extends RelayUnreachableError {
  override readonly name = "ForeignAnswerError";
  /** The answer's HTTP status, which says nothing about the relay. */
  readonly foreignStatus: number;

  /** @param isKnown true where a relay has answered at this address before */
  constructor({ statusCode: status = 0, headers }: ForeignAnswer, host: string, isKnown: boolean) {
    super(isKnown ? FOREIGN_ANSWER : strangerSentence(status, headers.location, host));
    this.foreignStatus = status;
  }
}

interface ForeignAnswer {
  readonly statusCode?: number | undefined;
  readonly headers: { readonly location?: string | undefined };
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
    readonly headers: { readonly "retry-after"?: string | undefined };
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

/** Describes an answer that isn't the requested sound, such as a captive portal's page. */
export function notTheSound(host: string): RelayUnreachableError {
  return new RelayUnreachableError(`Something other than the sound came from ${host}.`);
}

export function notSoundferry(host: string): RelayUnreachableError {
  return new RelayUnreachableError(
    `The server at ${host} is not a Soundferry relay. Check the address.`,
  );
}

/** Returns the HTTP status of a relay's error; undefined where no answer came. */
export function statusOfError(error: unknown): number | undefined {
  if (!(error instanceof Error) || !("status" in error)) return undefined;
  return typeof error.status === "number" ? error.status : undefined;
}

/** Returns the Retry-After of a relay's error; undefined where the relay sent none. */
export function retryAfterOfError(error: unknown): number | undefined {
  if (!(error instanceof Error) || !("retryAfterSeconds" in error)) return undefined;
  return typeof error.retryAfterSeconds === "number" ? error.retryAfterSeconds : undefined;
}
