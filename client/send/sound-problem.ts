import { isJsonObject, type JsonObject } from "../../core/text/json-object.ts";
import type { ClientErrorCode } from "../wire/error-codes.ts";

/** One fault of a package or of one of its sounds. */
export interface SoundProblem {
  /** A sentence to show. */
  readonly error: string;
  readonly code: ClientErrorCode;
  /** The sound's id; undefined if no sound is at fault. */
  readonly sound?: string | undefined;
  /** The sound's name on the relay. */
  readonly file?: string | undefined;
  /** The manifest's field that is wrong. */
  readonly field?: string | undefined;
  /** The sound's place in the draft, counted from 1. */
  readonly position?: number | undefined;
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
