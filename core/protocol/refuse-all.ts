import { MAX_PROBLEMS } from "../limits.ts";
import { type Refusal, refusal } from "./refusal.ts";

/**
 * The first of several refusals, with all of them as its `problems` (rule E3): at most `MAX_PROBLEMS`; on overflow the
 * last one counts the omitted ones.
 */
export function refuseAll(refusals: readonly [Refusal, ...Refusal[]]): Refusal {
  return refusals[0].with({ problems: bounded(refusals) });
}

function bounded(refusals: readonly Refusal[]): readonly Refusal[] {
  if (refusals.length <= MAX_PROBLEMS) return refusals;
  const shown = refusals.slice(0, MAX_PROBLEMS - 1);
  return [...shown, refusal("MORE_PROBLEMS", { count: refusals.length - shown.length })];
}
