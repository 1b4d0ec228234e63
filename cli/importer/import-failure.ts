import { sentenceOf } from "../fail.ts";

/** What the command line can do about a failure, by the failure's code. */
const HINTS: ReadonlyMap<unknown, string> = new Map([
  ["ALREADY_PLACED", "To import it anyway, add --again."],
  ["RUN_ELSEWHERE", "To take it over, add --take-over."],
]);

/** Why a package could not be imported, with the flag that helps where there is one. */
export function importFailure(error: unknown): string {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  const hint = HINTS.get(code);
  return hint === undefined ? sentenceOf(error) : `${sentenceOf(error)} ${hint}`;
}
