import type { JsonObject } from "../core/text/json-object.ts";
import type { ClientErrorCode } from "./error-codes.ts";

/** One fault of a package or of one of its sounds. */
export interface SoundProblem {
  /** A sentence to show. */
  readonly error: string;
  readonly code: ClientErrorCode;
  /** The sound's id; undefined if no sound is at fault. */
  readonly sound?: string;
  /** The sound's name on the relay. */
  readonly file?: string;
  /** The manifest's field that is wrong. */
  readonly field?: string;
  /** The sound's place in the draft, counted from 1. */
  readonly position?: number;
}

/** What a relay's refusal says about a sound; members of a wrong type are left out. */
export function readAboutSound({
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

/** `problems` of a relay's refusal; skips entries without a sentence and a code. */
export function readProblems({ problems }: JsonObject): readonly SoundProblem[] {
  if (!Array.isArray(problems)) return [];
  return problems.filter(isProblem).map((problem) => ({
    error: problem.error,
    code: problem.code,
    ...readAboutSound({ ...problem }),
  }));
}

/** Trusts the relay that a code is one of its codes. */
function isProblem(value: unknown): value is Pick<SoundProblem, "error" | "code"> {
  return (
    typeof value === "object" &&
    value !== null &&
    ["error", "code"].every((member) => typeof Reflect.get(value, member) === "string")
  );
}
