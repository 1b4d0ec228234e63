import { isJsonObject, type JsonObject } from "../../core/text/json-object.ts";
import {
  ClientError,
  type ClientErrorCode,
  type OwnErrorCode,
  type SoundProblem,
  unreadableSound,
} from "./client-error.ts";
import type { ReadAnswer } from "./judge-answer.ts";

/** The most that is shown of a sentence that a server gives. */
const SENTENCE_MAX = 500;

/** Builds the error for an answer of 400 or above. A body that is not JSON counts as empty (rule W6). */
export function errorOfAnswer({ status, headers, body = {} }: ReadAnswer): ClientError {
  const { error, code, missing } = body;
  const retryAfter = headers.get("retry-after") ?? "";
  const [sentence, ownCode] = describeStatus(status);
  return new ClientError(typeof error === "string" ? error.slice(0, SENTENCE_MAX) : sentence, {
    status,
    code: isCode(code) ? code : ownCode,
    retryAfterSeconds: /^\d{1,9}$/.test(retryAfter) ? Number(retryAfter) : undefined,
    missing: Array.isArray(missing) ? missing.filter(isText) : undefined,
    requestId: headers.get("x-request-id") ?? undefined,
    problems: readProblems(body),
    ...readAboutSound(body),
  });
}

/** Trusts the relay: a newer one may have codes that this client doesn't know. */
function isCode(code: unknown): code is ClientErrorCode {
  return isText(code) && code !== "";
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

/**
 * Builds the error for an answer that isn't the relay's own (rule W41). Its `status` is undefined, because no relay has
 * said it.
 * @param isKnown whether this relay has answered before
 */
export function errorOfForeign(
  answer: ReadAnswer,
  relayUrl: string,
  isKnown: boolean,
): ClientError {
  const { status: foreignStatus } = answer;
  if (isKnown) {
    const sentence =
      "Something between this computer and the relay answers in its place. Open a page in your browser: a Wi-Fi sign-in may be waiting.";
    return new ClientError(sentence, { code: "FOREIGN_ANSWER", foreignStatus });
  }
  // A gateway that can't reach the relay.
  if (isGatewayStatus(foreignStatus)) return errorOfAnswer({ ...answer, body: {} });
  if (foreignStatus < 400 && (foreignStatus < 200 || foreignStatus > 299)) {
    const sentence = `${relayUrl} redirects to another address. Use that one.`;
    return new ClientError(sentence, { code: "REDIRECTED", foreignStatus });
  }
  const sentence = `The server at ${relayUrl} is not a relay. Check the address.`;
  return new ClientError(sentence, { code: "NOT_A_RELAY", foreignStatus });
}

/** True for a status by which a gateway says that it can't reach the relay. */
export function isGatewayStatus(status = 0): boolean {
  return status > 501 && status < 505;
}

/** Builds the error for a call without an answer. `findCause` knows more. */
export function errorOfNetwork(cause: unknown, relayUrl: string): ClientError {
  if (cause instanceof ClientError) return cause;
  const { name } = rootOf(cause);
  if (name === "NotReadableError") return unreadableSound(cause);
  if (name === "TimeoutError") {
    return new ClientError(`${relayUrl} did not answer in time.`, { code: "TIMEOUT", cause });
  }
  const sentence = `The connection to ${relayUrl} was lost. Check the network.`;
  return new ClientError(sentence, { code: "NO_ANSWER", cause });
}

/** True for a refusal that says that the pairing is over. Without a token, a call says nothing about it (rule W7). */
export function isPairingOver(error: unknown): error is ClientError {
  return error instanceof ClientError && error.status === 401 && error.code !== "TOKEN_MISSING";
}

/** Returns sentence and code for a refusal that has none. */
function describeStatus(status: number): readonly [string, OwnErrorCode] {
  if (status === 401) return ["No longer paired. Enter a new pairing code.", "NOT_PAIRED"];
  if (status < 500) return [`The relay refused this (${status}).`, "REFUSED"];
  return [`The relay has a problem (${status}). Try again later.`, "RELAY_TROUBLE"];
}

/** Unwraps the innermost error, which says most: `fetch` wraps it once or twice. */
export function rootOf(error: unknown): Error {
  if (!(error instanceof Error)) return new Error(String(error));
  if (error instanceof AggregateError) return rootOf(error.errors[0]);
  return error.cause instanceof Error ? rootOf(error.cause) : error;
}

/** Reads the members of a refusal that identify a sound; skips those of a wrong type. */
function readAboutSound({
  sound,
  file,
  field,
  position,
}: JsonObject): Omit<SoundProblem, "error" | "code"> {
  return {
    ...(isText(sound) && { sound }),
    ...(isText(file) && { file }),
    ...(isText(field) && { field }),
    ...(typeof position === "number" && { position }),
  };
}

/** Reads the `problems` of a refusal; skips entries without a sentence and a code. */
function readProblems({ problems }: JsonObject): readonly SoundProblem[] {
  if (!Array.isArray(problems)) return [];
  return problems.filter(isProblem);
}

/** Trusts the relay that a code is one of its codes, and that the other members have the protocol's types. */
function isProblem(value: unknown): value is SoundProblem {
  return isJsonObject(value) && ["error", "code"].every((member) => isText(value[member]));
}
