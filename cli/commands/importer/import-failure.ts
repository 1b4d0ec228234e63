import { sentenceOf } from "../../fail.ts";

/** Flags that resolve a failure, by its code. */
const HINTS: ReadonlyMap<unknown, string> = new Map([
  ["ALREADY_PLACED", "To import it anyway, add --again."],
  ["RUN_ELSEWHERE", "To take it over, add --take-over."],
]);

/** Why a package was not imported, and the flag that helps. */
export function importFailure(error: unknown): string {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  const hint = HINTS.get(code);
  return hint === undefined ? sentenceOf(error) : `${sentenceOf(error)} ${hint}`;
}
