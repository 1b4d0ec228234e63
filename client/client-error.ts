import type { JsonObject } from "../core/text/json-object.ts";

/** What is known about a failed call, beside its message. */
export interface ClientErrorFacts {
  readonly status?: number;
  readonly code?: string;
  readonly retryAfterSeconds?: number;
  readonly missing?: readonly string[];
  readonly cause?: unknown;
}

/** A failed call to a relay. Its message is a sentence to show to the user. */
export class ClientError extends Error {
  override readonly name = "ClientError";
  /** HTTP status; undefined when there was no answer. */
  readonly status: number | undefined;
  /** Stable, UPPER_SNAKE, meant for a switch; undefined when there was no answer, or one without a code. */
  readonly code: string | undefined;
  /** From `Retry-After`; whole seconds. */
  readonly retryAfterSeconds: number | undefined;
  /** With a commit's 409: every file that is still missing. */
  readonly missing: readonly string[];

  constructor(sentence: string, facts: ClientErrorFacts = {}) {
    super(sentence, { cause: facts.cause });
    this.status = facts.status;
    this.code = facts.code;
    this.retryAfterSeconds = facts.retryAfterSeconds;
    this.missing = facts.missing ?? [];
  }
}

/** The error for an answer of 400 or above. A body that is not JSON counts as empty (rule W6). */
export function errorOfAnswer(
  response: Pick<Response, "status" | "headers">,
  { error, code, missing }: JsonObject,
): ClientError {
  const retryAfter = response.headers.get("retry-after");
  return new ClientError(typeof error === "string" ? error : describeStatus(response.status), {
    status: response.status,
    ...(typeof code === "string" && { code }),
    ...(/^\d+$/.test(retryAfter ?? "") && { retryAfterSeconds: Number(retryAfter) }),
    ...(Array.isArray(missing) && { missing: missing.map(String) }),
  });
}

/** The error for a call without an answer. It has a code only for a faulty sound: `SOUND_UNREADABLE`. */
export function errorOfNetwork(cause: unknown, relayUrl: string): ClientError {
  if (cause instanceof ClientError) return cause;
  const root = rootOf(cause);
  if (root.name === "NotReadableError") return unreadableSound(cause);
  return new ClientError(networkWords(root, relayUrl), { cause });
}

/**
 * The error for a sound whose bytes can't be read.
 * @param label names the sound in the sentence
 */
export function unreadableSound(cause: unknown, label = "A sound"): ClientError {
  const sentence = `${label} can't be read any more; its file was changed or removed.`;
  return new ClientError(sentence, { code: "SOUND_UNREADABLE", cause });
}

function describeStatus(status: number): string {
  if (status === 401) return "No longer paired. Enter a new pairing code.";
  if (status === 413) return "A server between here and the relay rejected this as too large.";
  if (status === 429) return "Too many calls. Try again later.";
  if (status >= 500) return `The relay has a problem (${status}). Try again later.`;
  return `The relay refused this (${status}).`;
}

interface RootError {
  readonly code: string;
  readonly name: string;
  readonly message: string;
}

function networkWords({ code, name, message }: RootError, relayUrl: string): string {
  if (code === "ECONNREFUSED") return `Nothing answers at ${relayUrl}. Is the relay running?`;
  if (code === "ENOTFOUND" || code === "EAI_AGAIN") {
    return `The address ${relayUrl} can't be found. Check it, and the network.`;
  }
  if (name === "TimeoutError" || /TIMEOUT|TIMEDOUT/.test(code)) {
    return `${relayUrl} did not answer in time.`;
  }
  if (/CERT|SELF_SIGNED|UNABLE_TO/.test(code)) {
    return `The certificate of ${relayUrl} is not trusted (${code}).`;
  }
  if (/redirect/.test(message)) return `${relayUrl} redirects to another address. Use that one.`;
  return `The connection to ${relayUrl} was lost. Check the network.`;
}

/** `fetch` wraps the cause once or twice; the innermost error says most. */
function rootOf(error: unknown): RootError {
  if (!(error instanceof Error)) return { code: "", name: "", message: String(error) };
  if (error instanceof AggregateError) return rootOf(error.errors[0]);
  if (error.cause instanceof Error) return rootOf(error.cause);
  return {
    code: String(Reflect.get(error, "code") ?? ""),
    name: error.name,
    message: error.message,
  };
}
