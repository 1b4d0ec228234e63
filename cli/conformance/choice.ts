import { CHECKS } from "./all-checks.ts";
import type { Check, Need } from "./check.ts";
import type { Contract } from "./contract.ts";
import { STANDING, type Standing } from "./watch.ts";

/** Chooses the public specification as the contract, beside rules and checks. */
export const PUBLIC = "public";

/** The checks to run, by rule (`U3`) or id (`upload-again`). */
export interface Choice {
  /** All if undefined. With `public`, those of the public specification. */
  readonly only?: readonly string[] | undefined;
  readonly skip?: readonly string[] | undefined;
  /** The needs that the user allowed (rule Q4). */
  readonly needs: ReadonlySet<Need>;
}

type Chosen = Pick<Check, "id" | "rule" | "spec" | "isPublicOnly" | "needs">;

const REASONS: Readonly<Record<Need, string>> = {
  time: "Needs time to pass; --slow runs it.",
  limit: "Uses up a limit; --limits runs it.",
};

/** Returns the words that name no rule, check or contract. */
export function unknownWords(words: readonly string[]): readonly string[] {
  const known = new Set([...CHECKS, ...STANDING].flatMap(({ id, rule }) => [id, rule]));
  return words.filter((word) => word !== PUBLIC && !known.has(word));
}

/** Returns the contract that the choice names. */
export function contractOf({ only }: Choice): Contract {
  return only?.includes(PUBLIC) ? "public" : "whole";
}

/** Returns whether the choice leaves checks of its contract out. */
export function isPart({ only, skip = [] }: Choice): boolean {
  return skip.length > 0 || (only?.some((word) => word !== PUBLIC) ?? false);
}

/** Returns the checks and standing promises that the report lists, in its order. */
export function choose(choice: Choice): {
  readonly checks: readonly Check[];
  readonly standing: readonly Standing[];
} {
  const isChosen = (one: Chosen) => isListed(one, choice);
  return { checks: CHECKS.filter(isChosen), standing: STANDING.filter(isChosen) };
}

function isListed({ id, rule, spec, isPublicOnly }: Chosen, choice: Choice): boolean {
  const isOfContract = contractOf(choice) === "public" ? spec !== undefined : !isPublicOnly;
  if (!isOfContract) return false;
  const words = choice.only?.filter((word) => word !== PUBLIC) ?? [];
  return words.length === 0 || words.includes(id) || words.includes(rule);
}

/** Returns why a chosen check is skipped; undefined if it runs. */
export function reasonToSkip({ id, rule, needs }: Chosen, choice: Choice): string | undefined {
  if (choice.skip?.some((word) => word === id || word === rule)) return "Skipped by --skip.";
  // Only a relay of this project says how long its windows are.
  if (needs === "time" && contractOf(choice) === "public") return "Needs an hour or more to pass.";
  return needs === undefined || choice.needs.has(needs) ? undefined : REASONS[needs];
}
