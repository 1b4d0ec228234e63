import { CHECKS } from "./all-checks.ts";
import type { Check, Need } from "./check.ts";
import { STANDING } from "./watch.ts";

/** Which checks to run, by rule (`U3`) or id (`upload-again`). */
export interface Choice {
  /** All if undefined. */
  readonly only?: readonly string[] | undefined;
  readonly skip?: readonly string[] | undefined;
  /** The needs that the user allowed (rule Q4). */
  readonly needs: ReadonlySet<Need>;
}

const REASONS: Readonly<Record<Need, string>> = {
  time: "Needs time to pass; --slow runs it.",
  limit: "Uses up a limit; --limits runs it.",
};

/** The words that are neither a rule nor a check's id. */
export function unknownWords(words: readonly string[]): readonly string[] {
  const known = new Set([...CHECKS, ...STANDING].flatMap(({ id, rule }) => [id, rule]));
  return words.filter((word) => !known.has(word));
}

/** Whether the report lists the check. */
export function isChosen({ id, rule }: Pick<Check, "id" | "rule">, { only }: Choice): boolean {
  return only === undefined || only.includes(id) || only.includes(rule);
}

/** Why a chosen check is skipped; undefined if it runs. */
export function reasonToSkip(
  { id, rule, needs }: Pick<Check, "id" | "rule" | "needs">,
  choice: Choice,
): string | undefined {
  if (choice.skip?.some((word) => word === id || word === rule)) return "Skipped by --skip.";
  return needs === undefined || choice.needs.has(needs) ? undefined : REASONS[needs];
}
