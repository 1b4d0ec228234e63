import type { LiveFacts, LiveReport } from "./live-report.ts";

/** Facts that differ from run to run end so. */
const MEASURED = /_(?:ms|ticks)$/;

/** Returns the facts of one check; empty where it was skipped. */
export function factsOf({ checks }: Pick<LiveReport, "checks">, id: string): LiveFacts {
  return checks.find((check) => check.id === id)?.facts ?? {};
}

/** Returns a report without what was measured in time: two of the same Live are equal then. */
export function withoutTimings(report: LiveReport): object {
  const { tick_ms: _tick, system: _system, checks, ...about } = report;
  const plain = checks.map(({ id, question, facts: given }) => ({
    id,
    question,
    facts: given && withoutMeasured(given),
  }));
  return { ...about, checks: plain };
}

function withoutMeasured(facts: LiveFacts): LiveFacts {
  return Object.fromEntries(Object.entries(facts).filter(([key]) => !MEASURED.test(key)));
}
