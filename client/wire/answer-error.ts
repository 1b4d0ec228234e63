import { isJsonObject, type JsonObject } from "../../core/text/json-object.ts";
import {
  ClientError,
  type ClientErrorCode,
  type SoundProblem,
  unreadableSound,
} from "./client-error.ts";

/** Builds the error for an answer of 400 or above. A body that is not JSON counts as empty (rule W6). */
export function errorOfAnswer(
  { status, headers }: Pick<Response, "status" | "headers">,
  body: JsonObject,
): ClientError {
  const { error, code, missing } = body;
  const retryAfter = headers.get("retry-after") ?? "";
  return new ClientError(typeof error === "string" ? error : describeStatus(status), {
    status,
    code: isCode(code) ? code : undefined,
    retryAfterSeconds: /^\d+$/.test(retryAfter) ? Number(retryAfter) : undefined,
    missing: Array.isArray(missing) ? missing.map(String) : undefined,
    requestId: headers.get("x-request-id") ?? undefined,
    problems: readProblems(body),
    ...readAboutSound(body),
  });
}

/** Trusts the relay: a newer one may have codes that this client doesn't know. */
function isCode(code: unknown): code is ClientErrorCode {
  return typeof code === "string";
}

/** Builds the error for a call without an answer. Only `blockedError` knows what a browser blocks. */
export function errorOfNetwork(cause: unknown, relayUrl: string): ClientError {
  if (cause instanceof ClientError) return cause;
  const root = rootOf(cause);
  if (root.name === "NotReadableError") return unreadableSound(cause);
  return new ClientError(networkWords(root, relayUrl), { cause });
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

/** Unwraps the innermost error, which says most: `fetch` wraps it once or twice. */
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

/** Reads the members of a refusal that identify a sound; skips those of a wrong type. */
function readAboutSound({
  sound,
  file,
  field,
  position,
}: JsonObject): Omit<SoundProblem, "error" | "code"> {
  return {
    ...(typeof sound === "string" && { sound }),
    ...(typeof file === "string" && { file }),
    ...(typeof field === "string" && { field }),
    ...(typeof position === "number" && { position }),
  };
}

/** Reads the `problems` of a refusal; skips entries without a sentence and a code. */
function readProblems({ problems }: JsonObject): readonly SoundProblem[] {
  if (!Array.isArray(problems)) return [];
  return problems.filter(isProblem).map(readProblem);
}

type RawProblem = JsonObject & Pick<SoundProblem, "error" | "code">;

/** Trusts the relay that a code is one of its codes. */
function isProblem(value: unknown): value is RawProblem {
  return (
    isJsonObject(value) && ["error", "code"].every((member) => typeof value[member] === "string")
  );
}

function readProblem(problem: RawProblem): SoundProblem {
  const { error, code } = problem;
  return { error, code, ...readAboutSound(problem) };
}
