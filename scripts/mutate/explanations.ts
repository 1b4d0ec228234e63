import type { Change } from "./try-part.ts";

/** Why changes may survive: those of a file whose code had the text before. */
interface Explanation {
  readonly file: string;
  readonly code: string;
  readonly why: string;
}

/** Survivors on limits, states, deletion, tokens and tempo, each looked at. */
export const EXPLANATIONS: readonly Explanation[] = [];

/** Why no test can or need notice a change; undefined where nobody has said. */
export function explanationOf({ file, original }: Change): string | undefined {
  return EXPLANATIONS.find((one) => one.file === file && original.includes(one.code))?.why;
}
