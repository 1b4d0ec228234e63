import { isDeepStrictEqual } from "node:util";
import { isJsonObject } from "../../core/text/json-object.ts";
import { shorten } from "../../core/text/shorten.ts";
import { AssertionFailure } from "./assertion-failure.ts";
import { type RefusalCode, REFUSALS } from "./refusals.ts";
import { type Answer, isSuccess } from "./answer.ts";

/** @throws {AssertionFailure} with the sentence if the condition is false */
export function assert(holds: boolean, sentence: string): asserts holds {
  if (!holds) throw new AssertionFailure(sentence);
}

export function assertStatus(answer: Answer, status: number): void {
  assert(
    answer.status === status,
    `${answer.asked} answered ${answer.status}${errorOf(answer)}; expected ${status}.`,
  );
}

/** Checks a success where the public specification shows no status: then any 2xx will do. */
export function assertSuccess(answer: Answer, status: number): void {
  if (answer.contract === "whole") return assertStatus(answer, status);
  const { asked, status: got } = answer;
  assert(isSuccess(got), `${asked} answered ${got}${errorOf(answer)}; expected a success.`);
}

/**
 * Checks an answer's status and code against a refusal of `docs/use/errors.md`. The public specification knows no codes,
 * and leaves some of the statuses open: then any 4xx will do, but no 401 for another cause than the token.
 */
export function assertRefusal(answer: Answer, code: RefusalCode): void {
  const { status, isPublic } = REFUSALS[code];
  if (answer.contract === "public") {
    if (isPublic) return assertStatus(answer, status);
    const { asked, status: got } = answer;
    const isRefused = got >= 400 && got < 500 && (got !== 401 || status === 401);
    return assert(isRefused, `${asked} answered ${got}; expected a refusal.`);
  }
  assertStatus(answer, status);
  const got = partOf(answer.json, "code");
  assert(got === code, `${answer.asked}: its code is ${show(got)}; expected ${code}.`);
}

/** @param what the value's name in the sentence, such as "ETag" */
export function assertSame(got: unknown, wanted: unknown, what: string): void {
  assert(isDeepStrictEqual(got, wanted), `${what} is ${show(got)}; expected ${show(wanted)}.`);
}

export function assertMatches(got: unknown, pattern: RegExp, what: string): void {
  assert(
    typeof got === "string" && pattern.test(got),
    `${what} is ${show(got)}; it should look like ${pattern.source}.`,
  );
}

/** Checks that `expires_at` is a time and `expires_in` its whole seconds, at most `most`. */
export function assertExpiry(json: unknown, what: string, most = Number.MAX_SAFE_INTEGER): void {
  assertMatches(partOf(json, "expires_at"), TIMESTAMP, `${what}: expires_at`);
  const seconds = partOf(json, "expires_in");
  assert(
    Number.isInteger(seconds) && Number(seconds) > 0 && Number(seconds) <= most,
    `${what}: expires_in is ${show(seconds)}; expected whole seconds.`,
  );
}

/** ISO 8601 in UTC with milliseconds: the format of every time in the contract. */
export const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** The value at a path inside a JSON value; undefined if there is none. */
export function partOf(json: unknown, ...path: readonly (string | number)[]): unknown {
  let part = json;
  for (const step of path) {
    if (Array.isArray(part)) part = part[Number(step)];
    else part = isJsonObject(part) && Object.hasOwn(part, step) ? part[step] : undefined;
  }
  return part;
}

/** The list at a path; empty if there is none. */
export function listOf(json: unknown, ...path: readonly (string | number)[]): readonly unknown[] {
  const part = partOf(json, ...path);
  return Array.isArray(part) ? part : [];
}

/** Formats a value for a sentence: JSON, shortened. */
export function show(value: unknown): string {
  return value === undefined ? "absent" : shorten(JSON.stringify(value), 120);
}

function errorOf({ json }: Answer): string {
  const error = partOf(json, "error");
  return typeof error === "string" ? ` (${shorten(error, 80)})` : "";
}
