import { CHECKS } from "./all-checks.ts";
import type { Check, Need } from "./check.ts";
import { STANDING } from "./watch.ts";

/** Which checks to run; words are rules (`U3`) or ids (`upload-again`). */
export interface Choice {
  /** Undefined is all. */
  readonly only?: readonly string[] | undefined;
  readonly skip?: readonly string[] | undefined;
  /** Needs that may be had (rule Q4). */
  readonly needs: ReadonlySet<Need>;
}

const REASONS: Readonly<Record<Need, string>> = {
  time: "Needs time to pass; --slow runs it.",
  limit: "Uses up a limit; --limits runs it.",
};

/** The words among these that are neither a rule nor a check of the kit's. */
export function unknownWords(words: readonly string[]): readonly string[] {
  const known = new Set([...CHECKS, ...STANDING].flatMap(({ id, rule }) => [id, rule]));
  return words.filter((word) => !known.has(word));
}

/** Whether the report has a line for it. */
export function isChosen({ id, rule }: Pick<Check, "id" | "rule">, { only }: Choice): boolean {
  return only === undefined || only.includes(id) || only.includes(rule);
}

/** Why a chosen check is not run; undefined where it is. */
export function reasonToSkip(
  { id, rule, needs }: Pick<Check, "id" | "rule" | "needs">,
  choice: Choice,
): string | undefined {
  if (choice.skip?.some((word) => word === id || word === rule)) return "Skipped by --skip.";
  return needs === undefined || choice.needs.has(needs) ? undefined : REASONS[needs];
}
