import type { RefusalCode } from "../refusals.ts";

/** A sound that no relay refuses. */
export const GOOD = { file: "a.wav", bytes: 244, sha256: "0".repeat(64) };
const OTHER = { ...GOOD, file: "b.wav" };

/** A manifest that no repair can save. */
export interface RefusedCase {
  readonly rule: "M1" | "M2" | "M3";
  readonly id: string;
  /** Ends "a manifest …". */
  readonly words: string;
  readonly body: unknown;
  readonly code: RefusalCode;
  /** Matches the error, which must mention this. */
  readonly says?: RegExp;
  /** Section and words of the public specification, as of a check. */
  readonly spec?: string;
}

export function items(...sounds: readonly unknown[]): object {
  return { schema: "app2host/1", items: sounds };
}

/** A case of rule M3: the second sound is bad, and named in the sentence. */
export function badSound(
  id: string,
  words: string,
  bad: object,
  code: RefusalCode,
  spec?: string,
): RefusedCase {
  return {
    rule: "M3",
    id,
    words: `with ${words}`,
    body: items(GOOD, { ...OTHER, name: "Kick", ...bad }),
    code,
    says: /\b2\b.*Kick|Kick.*\b2\b/,
    ...(spec !== undefined && { spec }),
  };
}
