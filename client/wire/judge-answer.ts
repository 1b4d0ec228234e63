import { RELAY_MARK } from "../../core/protocol/relay-mark.ts";
import type { JsonObject } from "../../core/text/json-object.ts";

/** An answer that has been read. */
export interface ReadAnswer extends Pick<Response, "status" | "headers"> {
  /** An empty body counts as an empty object; undefined for what isn't a JSON object. */
  readonly body: JsonObject | undefined;
}

/** Members that an answer must have, each with its type or its values. */
export type Shape<Answer> = {
  readonly [Member in keyof Answer]?: Answer[Member] extends string
    ? "string" | readonly Answer[Member][]
    : "object";
};

/** `unproven`: it looks like the relay's own, but has no mark; only a question can settle it. */
export type Verdict = "own" | "foreign" | "unproven";

/**
 * Judges whether an answer is the relay's own (rule W41).
 * @param shape of a success; undefined where the public specification fixes no member
 * @param isMarked whether the relay has marked an answer before
 */
export function judgeAnswer<Answer>(
  answer: ReadAnswer,
  shape: Shape<Answer> | undefined,
  isMarked: boolean,
): Verdict {
  const { status, body } = answer;
  const isOwn = hasMark(answer);
  if (isMarked && !isOwn) return "foreign";
  if (status >= 400) {
    return isOwn ? "own" : isRefusal(answer) ? "unproven" : "foreign";
  }
  if (status < 200 || status > 299 || body === undefined) return "foreign";
  if (shape !== undefined) return hasShape(body, shape) ? "own" : "foreign";
  return isOwn ? "own" : "unproven";
}

/** True if the answer has the mark of a Soundferry relay. */
export function hasMark({ headers }: ReadAnswer): boolean {
  return headers.has(RELAY_MARK.name);
}

/** True for a refusal as the public specification has it: JSON with an `error`. */
export function isRefusal({ body }: ReadAnswer): boolean {
  return typeof body?.["error"] === "string";
}

function hasShape(body: JsonObject, shape: object): boolean {
  return Object.entries(shape).every(([member, type]: [string, unknown]) => {
    const value = body[member];
    return Array.isArray(type) ? type.includes(value) : typeof value === type && value !== null;
  });
}
