import { Inconclusive, NoRelay } from "../../../cli/conformance/assertion-failure.ts";
import { choose } from "../../../cli/conformance/choice.ts";
import type { Report } from "../../../cli/conformance/report.ts";
import { type RunOptions, runChecks } from "../../../cli/conformance/run-checks.ts";

/** A late answer costs a run this much, so that tests of many are short. */
const ANSWER_MS = 150;

export type HostileRun = Partial<Pick<RunOptions, "signal" | "onResult" | "given" | "answerMs">> & {
  readonly only?: readonly string[];
};

/**
 * Runs the kit against a relay that does as it likes.
 * @returns the report, or the sentence that says why there is none
 * @throws {Error} whatever else the kit throws, and if a check has no result
 */
export async function holdHostile(url: string, run: HostileRun = {}): Promise<Report | string> {
  const { only, signal = new AbortController().signal, ...options } = run;
  const choice = { only, needs: new Set<never>() };
  try {
    const report = await runChecks(url, {
      answerMs: ANSWER_MS,
      ...options,
      choice,
      signal,
      wait: async () => {},
      onWait: () => {},
    });
    const { checks, standing } = choose(choice);
    const without = [...checks, ...standing].filter(
      ({ id }) => !report.checks.some((result) => result.id === id),
    );
    if (without.length > 0) throw new Error(`No result: ${without.map(({ id }) => id).join()}`);
    return report;
  } catch (error) {
    if (error instanceof Inconclusive || error instanceof NoRelay) return error.message;
    throw error;
  }
}

/** The secrets that a report tells, or the sentence in its place. */
export function toldSecrets(told: Report | string, secrets: Iterable<string>): readonly string[] {
  const text = typeof told === "string" ? told : told.checks.map(({ reason }) => reason).join("\n");
  // A piece of a token is one, too.
  return [...secrets].filter((secret) => secret !== "" && text.includes(secret.slice(0, 30)));
}
